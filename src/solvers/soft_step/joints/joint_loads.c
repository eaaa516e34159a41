#include "solvers/soft_step/joints/joint_loads.h"

#include "math/scalar.h"

#define NO_LINK UINT32_MAX

// Removes bodies with one joint left, one after the other, from the ends of a tree inwards. The
// last of a tree has none left; bodies in loops stay.
typedef struct peeling {
  const mo_joint_link *links;
  const double *masses;
  mo_joint_load *loads;
  uint32_t *left;     // per body: joints that are left
  uint32_t *left_xor; // per body: exclusive or of their indices, which names the last one
  uint32_t *order;    // bodies in the order of their removal
  uint32_t *outward;  // per removed body in that order: its last joint
  uint32_t count;
} peeling;

static uint32_t other_end(const mo_joint_link *link, uint32_t body) {
  return link->a == body ? link->b : link->a;
}

static void add_load(mo_joint_load *load, double mass, uint32_t link) {
  if (mass > load->heaviest) {
    load->second = load->heaviest;
    load->heaviest = mass;
    load->heaviest_link = link;
  } else {
    load->second = mo_max(load->second, mass);
  }
}

static void count_links(const peeling *p, uint32_t link_count) {
  for (uint32_t i = 0; i < link_count; i++) {
    mo_joint_link link = p->links[i];
    if (link.a == 0 || link.b == 0) {
      add_load(&p->loads[link.a + link.b], link.held_mass, i);
      continue;
    }
    p->left[link.a]++;
    p->left[link.b]++;
    p->left_xor[link.a] ^= i;
    p->left_xor[link.b] ^= i;
  }
}

static void take_end(peeling *p, uint32_t body) {
  p->order[p->count] = body;
  p->outward[p->count++] = p->left_xor[body];
}

// Inwards: each body passes on the heaviest of itself and of what is behind it.
static void peel(peeling *p, uint32_t body_count) {
  for (uint32_t body = 1; body < body_count; body++) {
    if (p->left[body] == 1) {
      take_end(p, body);
    }
  }
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t body = p->order[i];
    if (p->left[body] == 0) { // the last of its tree
      p->outward[i] = NO_LINK;
      continue;
    }
    uint32_t link = p->outward[i], inner = other_end(&p->links[link], body);
    add_load(&p->loads[inner], mo_max(p->masses[body], p->loads[body].heaviest), link);
    p->left[body] = 0;
    p->left_xor[inner] ^= link;
    if (--p->left[inner] == 1) {
      take_end(p, inner);
    }
  }
}

// Outwards: each body gets the heaviest of what is on the other side.
static void pass_outwards(const peeling *p) {
  for (uint32_t i = p->count; i-- > 0;) {
    uint32_t body = p->order[i], link = p->outward[i];
    if (link == NO_LINK) {
      continue;
    }
    uint32_t inner = other_end(&p->links[link], body);
    const mo_joint_load *from = &p->loads[inner];
    double behind = from->heaviest_link == link ? from->second : from->heaviest;
    add_load(&p->loads[body], mo_max(p->masses[inner], behind), link);
  }
}

mo_joint_load *mo_joint_loads(const mo_joint_link *links, uint32_t link_count, const double *masses,
                              uint32_t body_count, mo_arena *arena) {
  peeling p = {.links = links,
               .masses = masses,
               .loads = MO_ARENA_TAKE(arena, mo_joint_load, body_count),
               .left = MO_ARENA_TAKE(arena, uint32_t, body_count),
               .left_xor = MO_ARENA_TAKE(arena, uint32_t, body_count),
               .order = MO_ARENA_TAKE_RAW(arena, uint32_t, body_count),
               .outward = MO_ARENA_TAKE_RAW(arena, uint32_t, body_count)};
  if (!p.loads || !p.left || !p.left_xor || !p.order || !p.outward) {
    return NULL;
  }
  count_links(&p, link_count);
  peel(&p, body_count);
  pass_outwards(&p);
  return p.loads;
}

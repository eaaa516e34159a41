#include "memory/hash_tree.h"

#include "memory/word_hash.h"

#include <stddef.h>

// The branches that lead to a hash, one per bit from the lowest. Bits of hashes like those of
// hash.h depend on few bits of the data, so they are mixed. Below 64 branches they start again,
// which puts equal hashes in one line.
static uint64_t branches_to(uint64_t hash) {
  return mo_word_hash_mix(mo_word_hash_mix(0, hash), 1);
}
static uint64_t next_branch(uint64_t branches) { return branches >> 1 | branches << 63; }

mo_hash_node *mo_hash_tree_find(mo_hash_node *root, uint64_t hash, mo_hash_test *test,
                                const void *wanted) {
  uint64_t branches = branches_to(hash);
  mo_hash_node *node = root;
  while (node && !(node->hash == hash && test(node, wanted))) {
    node = node->below[branches & 1];
    branches = next_branch(branches);
  }
  return node;
}

// What points to a node, or to where it would be.
static mo_hash_node **place_of(mo_hash_node **root, const mo_hash_node *node, uint64_t hash) {
  uint64_t branches = branches_to(hash);
  mo_hash_node **place = root;
  while (*place && *place != node) {
    place = &(*place)->below[branches & 1];
    branches = next_branch(branches);
  }
  return place;
}

void mo_hash_tree_add(mo_hash_node **root, mo_hash_node *node, uint64_t hash) {
  *node = (mo_hash_node){.hash = hash};
  *place_of(root, node, hash) = node;
}

// A node has the branches of its place in common with all nodes below, so any of them can take it.
// One without nodes below leaves no gap.
void mo_hash_tree_remove(mo_hash_node **root, mo_hash_node *node) {
  mo_hash_node **place = place_of(root, node, node->hash), **last = place, *leaf = node;
  while (leaf->below[0] || leaf->below[1]) {
    last = &leaf->below[leaf->below[0] ? 0 : 1];
    leaf = *last;
  }
  *last = NULL;
  if (leaf != node) {
    leaf->below[0] = node->below[0];
    leaf->below[1] = node->below[1];
    *place = leaf;
  }
}

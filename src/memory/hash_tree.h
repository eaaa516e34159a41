/// Records that are found by a hash of what they hold: a tree that branches by the bits of the
/// hash.
///
/// Its nodes are parts of the records, so it takes no memory of its own: adding cannot fail, and an
/// empty tree holds nothing. Its form follows from the hashes and the order of calls, never from
/// addresses. Records with the same hash are told apart by the caller.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct mo_hash_node {
  uint64_t hash;
  struct mo_hash_node *below[2];
} mo_hash_node;

/// Whether a node with the hash that was looked for is what the caller wants.
typedef bool mo_hash_test(const mo_hash_node *node, const void *wanted);

/// The first node with the hash that passes the test, or null.
/// @param root null: the tree is empty
mo_hash_node *mo_hash_tree_find(mo_hash_node *root, uint64_t hash, mo_hash_test *test,
                                const void *wanted);
/// Adds a node.
void mo_hash_tree_add(mo_hash_node **root, mo_hash_node *node, uint64_t hash);
/// Removes a node, which must be in the tree.
void mo_hash_tree_remove(mo_hash_node **root, mo_hash_node *node);

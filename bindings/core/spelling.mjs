// Suggestions for mistyped words, of options as of scenes.

/** Shorter words are part of too many others, and begin too many. */
const SHORTEST_PART = 3
const SHORTEST_BEGINNING = 4
/** Letters of a word whose neighbours by one letter are hardly other words, and by two. */
const SHORTEST_CERTAIN = 5
const LONG = 9
/** What is longer is no mistyped word, and comparing takes as long as both are long. */
const LONGEST_WORD = 64

/**
 * The candidates that a mistyped word may stand for: those that hold it, and those that it is near
 * to, as a whole or by their beginning, since people forget what comes last.
 * @param {string} word
 * @param {readonly string[]} candidates
 * @param {number} [most]
 * @returns {string[]} the nearest first
 */
export function similar(word, candidates, most = 3) {
  if (word.length > LONGEST_WORD) return []
  const wanted = word.toLowerCase()
  // A third of the letters may be wrong: more would suggest unrelated words.
  const tolerance = Math.max(1, Math.floor(wanted.length / 3))
  return candidates
    .map((candidate) => ({ candidate, distance: distanceTo(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= tolerance)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/**
 * What a word is certainly meant to be: one mistake away, or two in a long word. Of short words nothing is certain, nor of
 * those of other programs that begin with a sign.
 * @param {string} word
 * @param {readonly string[]} candidates
 * @returns {string | undefined}
 */
export function misspelt(word, candidates) {
  if (word.length < SHORTEST_CERTAIN || word.length > LONGEST_WORD || !/^[a-z]/i.test(word)) return
  const tolerance = word.length < LONG ? 1 : 2
  const wanted = word.toLowerCase()
  return candidates.find(
    (candidate) =>
      Math.abs(candidate.length - word.length) <= tolerance &&
      editDistance(wanted, candidate.toLowerCase()) <= tolerance,
  )
}

/**
 * @param {string} wanted
 * @param {string} candidate
 * @returns {number}
 */
function distanceTo(wanted, candidate) {
  const whole = editDistance(wanted, candidate)
  if (wanted.length >= SHORTEST_PART && candidate.includes(wanted)) return Math.min(whole, 1)
  if (wanted.length < SHORTEST_BEGINNING) return whole
  return Math.min(whole, editDistance(wanted, candidate.slice(0, wanted.length)))
}

/**
 * Letters to insert, delete, replace or swap with a neighbour (Damerau 1964, without swaps across
 * other edits).
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function editDistance(a, b) {
  let beforeLast = /** @type {number[]} */ ([])
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j], beforeLast[j - 2] + 1)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]
}

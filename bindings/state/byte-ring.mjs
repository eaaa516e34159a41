// Bytes that are added at the end of a long row and given back at both ends, in pages that are used
// again. Places in the row only grow: the first byte of all has place 0.

/** Bytes. Small beside a history that matters, and large enough that most frames lie in one page. */
const PAGE = 1 << 18

export class ByteRing {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  #pages = []
  /** Pages that nothing is in. @type {Uint8Array<ArrayBuffer>[]} */
  #spare = []
  /** The place of the first byte of the first page. */
  #base = 0
  #start = 0
  #end = 0

  /** The place of the first byte that is there. */
  get start() {
    return this.#start
  }

  /** The place of the next byte. */
  get end() {
    return this.#end
  }

  /** How many bytes there are. */
  get length() {
    return this.#end - this.#start
  }

  /** @param {Uint8Array<ArrayBufferLike>} bytes */
  append(bytes) {
    // Pages first: they may not be there to have, and then nothing has changed.
    const room = this.#end + bytes.length
    while (this.#base + this.#pages.length * PAGE < room) {
      this.#pages.push(this.#spare.pop() ?? new Uint8Array(PAGE))
    }
    this.#each(this.#end, bytes.length, (page, at, length, done) => {
      page.set(bytes.subarray(done, done + length), at)
    })
    this.#end = room
  }

  /**
   * Copies bytes to the beginning of `out`.
   * @param {number} place
   * @param {number} length
   * @param {Uint8Array<ArrayBufferLike>} out
   */
  read(place, length, out) {
    this.#each(place, length, (page, at, count, done) => {
      out.set(page.subarray(at, at + count), done)
    })
  }

  /** @param {number} place what is before it goes */
  dropBefore(place) {
    this.#start = place
    while (this.#pages.length > 0 && this.#base + PAGE <= place) {
      this.#spare.push(/** @type {Uint8Array<ArrayBuffer>} */ (this.#pages.shift()))
      this.#base += PAGE
    }
  }

  /** @param {number} place what is there and after it goes */
  dropFrom(place) {
    this.#end = place
    while (this.#pages.length > 0 && this.#base + (this.#pages.length - 1) * PAGE >= place) {
      this.#spare.push(/** @type {Uint8Array<ArrayBuffer>} */ (this.#pages.pop()))
    }
  }

  /**
   * Walks through the parts of a range, each within a page.
   * @param {number} place
   * @param {number} length
   * @param {(page: Uint8Array, at: number, length: number, done: number) => void} visit
   */
  #each(place, length, visit) {
    for (let done = 0; done < length;) {
      const offset = place + done - this.#base
      const at = offset % PAGE
      const count = Math.min(PAGE - at, length - done)
      visit(this.#pages[Math.floor(offset / PAGE)], at, count, done)
      done += count
    }
  }
}

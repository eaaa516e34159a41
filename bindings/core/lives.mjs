/** How many objects a world keeps after they are gone. */
const MOST_KEPT = 8192

/** @typedef {'body' | 'constraint' | 'potential'} Kind */

/**
 * Which object of a world is which. With each restore another timeline begins, in which ids are given
 * again to what is created then. An object is named by its id and the timeline in which it was
 * created. Snapshots have both, so it is found again by bytes in which it lived, of whatever timeline,
 * and by no others.
 */
export class Lives {
  #now = 0

  /** @type {WeakMap<object, number>} */
  #timelines = new WeakMap()

  /** Whether there are snapshots, and so what is gone may come back. */
  hasSnapshots = false

  /**
   * What is gone and may come back, by name.
   * @type {Map<string, object>}
   */
  #gone = new Map()

  /** @param {object} object a new one */
  begin(object) {
    this.#timelines.set(object, this.#now)
  }

  /** @param {object} object @returns {number} the timeline in which it was created */
  timelineOf(object) {
    return /** @type {number} */ (this.#timelines.get(object))
  }

  /**
   * Keeps an object that is gone. The oldest leave.
   * @param {Kind} kind
   * @param {{ id: number }} object
   */
  end(kind, object) {
    if (!this.hasSnapshots) return
    this.#gone.set(nameOf(kind, object.id, this.timelineOf(object)), object)
    if (this.#gone.size > MOST_KEPT) {
      this.#gone.delete(/** @type {string} */ (this.#gone.keys().next().value))
    }
  }

  /**
   * What has this name: the given object, or one that is gone.
   * @param {Kind} kind
   * @param {number} id
   * @param {number} timeline
   * @param {object | undefined} living what has the id now
   * @returns {object | undefined}
   */
  find(kind, id, timeline, living) {
    const isThat = living !== undefined && this.timelineOf(living) === timeline
    return isThat ? living : this.#gone.get(nameOf(kind, id, timeline))
  }

  /** The last body with an id that has gone. @param {number} id @returns {object | undefined} */
  lastBody(id) {
    const names = [...this.#gone.keys()].filter((name) => name.startsWith(`body ${id} `))
    return names.length > 0 ? this.#gone.get(names[names.length - 1]) : undefined
  }

  /**
   * An object of a snapshot that was restored lives, as what has this name.
   * @param {Kind} kind
   * @param {{ id: number }} object
   * @param {number} timeline
   */
  resume(kind, object, timeline) {
    this.#timelines.set(object, timeline)
    this.#now = Math.max(this.#now, timeline)
    this.#gone.delete(nameOf(kind, object.id, timeline))
  }

  /** A snapshot was restored. */
  branch() {
    this.#now++
  }

  /** The timeline of what is created now. */
  get now() {
    return this.#now
  }

  /** @param {number} timeline that of the world that this one is to have the same names as */
  join(timeline) {
    this.#now = timeline
  }

  /** The world was freed. */
  clear() {
    this.#gone.clear()
  }
}

/** @param {Kind} kind @param {number} id @param {number} timeline */
const nameOf = (kind, id, timeline) => `${kind} ${id} ${timeline}`

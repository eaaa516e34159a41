/**
 * Where a thread of a pool begins. Piscina takes its work by `require`, and Node 22 ends the whole process if a thread is ended while it requires
 * an ES module. A thread that is ended while it imports one does no harm.
 */
const loading = import('./thread.mjs')
// The task that waits for it is told.
loading.catch(() => {})

/** @param {import('./thread.mjs').Task} task */
module.exports = async (task) => (await loading).default(task)

/**
 * Files that are dropped on the page.
 */

/** @param {(name: string, text: string) => void} open is given the first file of a drop */
export function listenToDrops(open) {
  // Without this the browser leaves the page for the file.
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', async (event) => {
    event.preventDefault()
    const file = event.dataTransfer?.files[0]
    if (file !== undefined) open(file.name, await file.text())
  })
}

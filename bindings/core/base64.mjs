/**
 * @param {string} text base64
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesOf(text) {
  const characters = atob(text)
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}

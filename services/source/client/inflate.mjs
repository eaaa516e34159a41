/**
 * @param {Uint8Array} bytes as deflate made them
 * @returns {Promise<Uint8Array>}
 */
export async function inflate(bytes) {
  const stream = new Blob([new Uint8Array(bytes)])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

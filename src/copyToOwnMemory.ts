/**
 * Copies a buffer if it is a small part of a larger piece of memory. Node.js cuts small buffers
 * from pools of 64 KB, and a cached buffer would keep its whole pool in memory.
 */
export function copyToOwnMemory(content: Buffer): Buffer {
  if (content.length >= content.buffer.byteLength / 2) return content;
  const ownBuffer = Buffer.allocUnsafeSlow(content.length);
  content.copy(ownBuffer);
  return ownBuffer;
}

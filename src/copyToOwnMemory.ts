/**
 * Copies a small view of a large buffer, so that a cache can keep it alone. Node.js cuts small
 * buffers from pools of 64 KB: a cached view of a pool keeps the whole pool in memory.
 */
export function copyToOwnMemory(content: Buffer): Buffer {
  if (content.length >= content.buffer.byteLength / 2) return content;
  const ownBuffer = Buffer.allocUnsafeSlow(content.length);
  content.copy(ownBuffer);
  return ownBuffer;
}

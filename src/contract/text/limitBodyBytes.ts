/** A stream that passes a body on, and fails when the body has more than `maxBytes` bytes. */
export function limitBodyBytes(maxBytes: number) {
  let readBytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      readBytes += chunk.byteLength;
      if (readBytes > maxBytes)
        controller.error(new Error(`The response is larger than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

/**
 * Listens to events of the document.
 * @returns a function that stops listening
 */
export function listen(
  eventNames: (keyof DocumentEventMap)[],
  listener: (event: Event) => void,
  options: AddEventListenerOptions = {},
): () => void {
  const abortController = new AbortController();
  for (const eventName of eventNames)
    document.addEventListener(eventName, listener, { ...options, signal: abortController.signal });
  return () => abortController.abort();
}

/**
 * The page of Temporal's web UI that lists a namespace's runs. The UI's first page would show the
 * namespace that was last open.
 */
export const runsUrl = (uiUrl: string, namespace: string): string =>
  new URL(
    `namespaces/${encodeURIComponent(namespace)}/workflows`,
    uiUrl.endsWith('/') ? uiUrl : `${uiUrl}/`,
  ).href;

/**
 * Makes a function that returns the URL of a task's run in Temporal's web UI.
 * @param uiUrl the UI's base URL; its path is kept
 * @returns the URL for a taskId; null without a UI
 */
export function createRunUrl(
  uiUrl: string | undefined,
  namespace: string,
): (taskId: string) => string | null {
  if (uiUrl === undefined) return () => null;
  const namespaceUrl = `${runsUrl(uiUrl, namespace)}/`;
  return (taskId) => new URL(encodeURIComponent(taskId), namespaceUrl).href;
}

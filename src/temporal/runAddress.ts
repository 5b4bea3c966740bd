/**
 * Where the runs of a namespace are listed in Temporal's web UI. Its own first page opens whichever
 * came last.
 */
export const runsAddress = (uiUrl: string, namespace: string): string =>
  new URL(
    `namespaces/${encodeURIComponent(namespace)}/workflows`,
    uiUrl.endsWith('/') ? uiUrl : `${uiUrl}/`,
  ).href;

/**
 * Where a task's run is in Temporal's web UI.
 * @param uiUrl the UI's address; its path is kept. undefined: nobody is told where it is
 * @returns gives the address for a taskId; null without a UI
 */
export function createRunAddress(
  uiUrl: string | undefined,
  namespace: string,
): (taskId: string) => string | null {
  if (uiUrl === undefined) return () => null;
  const inNamespace = `${runsAddress(uiUrl, namespace)}/`;
  return (taskId) => new URL(encodeURIComponent(taskId), inNamespace).href;
}

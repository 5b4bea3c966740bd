import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { hostPath } from '../../browser/hostPath.ts';
import { sendRequest } from '../../browser/sendRequest.ts';
import { LoadingBones, Failure } from './ui/states.tsx';

type ComponentPropsOf<Component> = Component extends (props: infer Props extends object) => unknown
  ? Props
  : object;

const loadedComponents = new Map<unknown, unknown>();

/**
 * Wraps a component whose script is loaded when the component is first shown. Until then, it shows
 * a placeholder, and after a failure a button that loads again.
 * @param exportName the script's export
 */
export function lazy<Script, Name extends keyof Script>(
  loadScript: () => Promise<Script>,
  exportName: Name,
): ComponentType<ComponentPropsOf<Script[Name]>> {
  return function Lazy(props: object) {
    const [{ error, round }, setState] = useState<{ error?: unknown; round: number }>({ round: 0 });
    useEffect(() => {
      if (loadedComponents.has(loadScript)) return;
      loadScript()
        .catch(() => sendRequest(hostPath`/healthz`).then(loadScript)) // the service may restart
        .then((script) => {
          loadedComponents.set(loadScript, script[exportName]);
          setState({ round: round + 1 });
        })
        .catch((loadError: unknown) => setState({ error: loadError, round }));
    }, [round]);
    const Component = loadedComponents.get(loadScript) as ComponentType | undefined;
    if (Component) return <Component {...props} />;
    if (error !== undefined)
      return <Failure error={error} retry={() => setState({ round: round + 1 })} isScreen />;
    return <LoadingBones />;
  };
}

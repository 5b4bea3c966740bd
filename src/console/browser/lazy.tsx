import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Bones, Failure } from './ui/states.tsx';

type PropsOf<Component> = Component extends (props: infer Props extends object) => unknown
  ? Props
  : object;

const loaded = new Map<unknown, unknown>();

/**
 * A component in a script of its own, which is loaded when the component is first shown.
 * @param name the script's export
 */
export function lazy<Script, Name extends keyof Script>(
  load: () => Promise<Script>,
  name: Name,
): ComponentType<PropsOf<Script[Name]>> {
  return function Lazy(props: object) {
    const [{ error, round }, setState] = useState<{ error?: unknown; round: number }>({ round: 0 });
    useEffect(() => {
      if (loaded.has(load)) return;
      load()
        .then((script) => {
          loaded.set(load, script[name]);
          setState({ round: round + 1 });
        })
        .catch((failed: unknown) => setState({ error: failed, round }));
    }, [round]);
    const Component = loaded.get(load) as ComponentType | undefined;
    if (Component) return <Component {...props} />;
    if (error !== undefined)
      return <Failure error={error} retry={() => setState({ round: round + 1 })} />;
    return <Bones />;
  };
}

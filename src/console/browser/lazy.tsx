import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Bones, Failure } from './ui/states.tsx';

const loaded = new Map<unknown, unknown>();

/** A component in a script of its own, which is loaded when it is shown for the first time. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Lazy(props: P) {
    const [state, setState] = useState<{ error?: unknown; round: number }>({ round: 0 });
    useEffect(() => {
      if (loaded.has(load)) return;
      load()
        .then((component) => {
          loaded.set(load, component);
          setState({ round: state.round + 1 });
        })
        .catch((error: unknown) => setState({ error, round: state.round }));
    }, [state.round]);
    const Component = loaded.get(load) as ComponentType<P> | undefined;
    if (Component) return <Component {...props} />;
    if (state.error !== undefined)
      return <Failure error={state.error} retry={() => setState({ round: state.round + 1 })} />;
    return <Bones />;
  };
}

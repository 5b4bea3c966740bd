import { useState } from 'preact/hooks';

interface Work {
  busy: boolean;
  /** Why the last one failed. */
  error?: unknown;
  run: (work: () => unknown) => Promise<void>;
}

/** Runs one piece of work at a time, and keeps its failure until the next one begins. */
export function useWork(): Work {
  const [state, setState] = useState<Omit<Work, 'run'>>({ busy: false });
  const run = async (work: () => unknown) => {
    if (state.busy) return;
    setState({ busy: true });
    try {
      await work();
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return { ...state, run };
}

/**
 * The fields of a form.
 * @returns their values; what binds a `TextField` to the one of a name; and what sets all
 */
export function useFields<T extends Record<string, string>>(first: T) {
  const [values, setValues] = useState(first);
  const bind = (name: keyof T) => ({
    value: values[name] ?? '',
    // a browser may fill several at once
    onInput: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  });
  return [values, bind, setValues] as const;
}

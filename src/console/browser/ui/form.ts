import { useState } from 'preact/hooks';

interface WorkState {
  busy: boolean;
  /** Why the last work failed. */
  error?: unknown;
  run: (work: () => unknown) => Promise<void>;
}

/** Runs one piece of work at a time. Keeps its error until the next one begins. */
export function useWork(): WorkState {
  const [state, setState] = useState<Omit<WorkState, 'run'>>({ busy: false });
  const runWork = async (work: () => unknown) => {
    if (state.busy) return;
    setState({ busy: true });
    try {
      await work();
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return { ...state, run: runWork };
}

/**
 * The fields of a form.
 * @returns their values; a function that binds a `TextField` to the value of a name; a function
 *   that sets all values
 */
export function useFields<T extends Record<string, string>>(firstValues: T) {
  const [values, setValues] = useState(firstValues);
  const bindField = (name: keyof T) => ({
    value: values[name] ?? '',
    // A browser may fill several fields at once.
    onInput: (value: string) => setValues((valuesBefore) => ({ ...valuesBefore, [name]: value })),
  });
  return [values, bindField, setValues] as const;
}

import { isNamed, isNumberNamed } from './namesInText.ts';
import type { Outsider } from '../formats/faults.ts';

/** For each outsider, whether the request names it. */
export const namedOutsiders = (request: string, outsiders: Outsider[]): boolean[] =>
  outsiders.map(({ kind, value }) =>
    kind === 'telephone' ? isNumberNamed(request, value) : isNamed(request, value),
  );

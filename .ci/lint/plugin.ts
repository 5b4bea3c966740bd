import { arrows } from './arrows.ts';
import { commentWidth } from './commentWidth.ts';
import { noCycle } from './noCycle.ts';

/** Rules of our own, in the form of ESLint's, that oxlint takes. */
export default {
  meta: { name: 'own' },
  rules: { 'no-cycle': noCycle, arrows, 'comment-width': commentWidth },
};

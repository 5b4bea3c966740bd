import { arrows } from './arrows.ts';
import { callSignal } from './callSignal.ts';
import { commentWidth } from './commentWidth.ts';
import { noBareNormalize } from './noBareNormalize.ts';
import { noBareUrlParse } from './noBareUrlParse.ts';
import { noCycle } from './noCycle.ts';
import { noFormatIgnore } from './noFormatIgnore.ts';
import { noLiteralSpread } from './noLiteralSpread.ts';
import { typeNames } from './typeNames.ts';
import { uniqueExport } from './uniqueExport.ts';

/** Rules of our own, in the form of ESLint's, that oxlint takes. */
export default {
  meta: { name: 'own' },
  rules: {
    'no-bare-normalize': noBareNormalize,
    'no-bare-url-parse': noBareUrlParse,
    'no-cycle': noCycle,
    arrows,
    'call-signal': callSignal,
    'comment-width': commentWidth,
    'no-format-ignore': noFormatIgnore,
    'no-literal-spread': noLiteralSpread,
    'type-names': typeNames,
    'unique-export': uniqueExport,
  },
};

import { Joi } from '../joi.ts';
import { revokeShare } from '../api/routes/shares.ts';
import { answerOf, shareId, string } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

export const endShare: Tool<{ shareId: string }> = {
  name: 'end_share',
  title: 'End a share link',
  description: 'Ends a share link at once: nobody can open it any more.',
  hints: { ...starts, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ shareId }),
  output: answerOf({ shareId: string('The link that has ended.').required() }),
  limit: 'create',
  async run({ ctx, parts }, { shareId }) {
    await revokeShare(ctx, parts, shareId);
    return { shareId, next: 'list_shares lists the links that are left.' };
  },
};

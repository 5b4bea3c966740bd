import { Joi } from '../../boundedJoi.ts';
import { revokeShare } from '../../api/routes/sharing/shares.ts';
import { toolAnswer, shareId, textField } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

export const endShareTool: AssistantTool<{ shareId: string }> = {
  name: 'end_share',
  title: 'End a share link',
  description: 'Ends a share link at once: nobody can open it any more.',
  hints: { ...startHints, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ shareId }),
  output: toolAnswer({ shareId: textField('The link that has ended.').required() }),
  limit: 'create',
  async run({ ctx, parts }, { shareId }) {
    await revokeShare(ctx, parts, shareId);
    return { shareId, next: 'list_shares lists the links that are left.' };
  },
};

import { Joi } from '../../boundedJoi.ts';
import { revokeShare } from '../../api/routes/sharing/shares.ts';
import { toolAnswer, shareId, textField } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

export const endShareTool: AssistantTool<{ shareId: string }> = {
  name: 'end_share',
  title: 'Revoke a share link',
  description: 'Revokes a share link. Nobody can open it afterwards.',
  hints: { ...startHints, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ shareId }),
  output: toolAnswer({ shareId: textField('The revoked link.').required() }),
  limit: 'create',
  async run({ ctx, deps }, { shareId }) {
    await revokeShare(ctx, deps, shareId);
    return { shareId, next: 'Call list_shares to see the remaining links.' };
  },
};

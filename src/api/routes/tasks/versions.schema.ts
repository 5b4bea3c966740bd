import { Joi } from '../../../boundedJoi.ts';
import type { ConflictWinner } from '../../../editor/resultVersions.ts';

/** The body of POST …/versions/undo. */
export interface UndoBody {
  version?: number;
}

export const undoBody = Joi.object<UndoBody>({
  version: Joi.number()
    .integer()
    .min(1)
    .empty(null)
    .description('The version to undo, which must be the current one. Default: the current one.'),
}).label('body');

/** The body of POST …/versions/update. */
export interface UpdateBody {
  conflicts?: ConflictWinner;
}

export const updateBody = Joi.object<UpdateBody>({
  conflicts: Joi.valid('own', 'other')
    .empty(null)
    .description(
      'Whose version of a page wins if both sides changed it: `own` is that of this task. Without it, neither wins, and the response is an error that names the pages.',
    )
    .meta({ schemaName: 'ConflictWinner' }),
}).label('body');

import { constants, cpSync } from 'node:fs';

/** Fills a new data folder from the template of this test run, if it has one. */
export function copyTemplate(folder: string): void {
  const template = process.env['TEST_DATA_TEMPLATE'];
  if (template) cpSync(template, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

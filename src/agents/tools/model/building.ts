import type { Tool } from '../tool.ts';
import { buildingFileTools } from './buildingFiles.ts';
import { buildingPageTools } from './buildingPages.ts';
import { buildingSectionTools } from './buildingSections.ts';
import { buildingStyleTools } from './buildingStyles.ts';

/** With what a language model builds: pages, sections, style rules and files. */
export const buildingTools: Tool[] = [
  ...buildingPageTools,
  ...buildingSectionTools,
  ...buildingStyleTools,
  ...buildingFileTools,
];

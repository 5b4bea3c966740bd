import type { Tool } from '../tool.ts';
import { buildingFileTools } from './fileTools.ts';
import { buildingPageTools } from './pageTools.ts';
import { buildingSectionTools } from './sectionTools.ts';
import { buildingStyleTools } from './styleTools.ts';

/** With what a language model builds: pages, sections, style rules and files. */
export const buildingTools: Tool[] = [
  ...buildingPageTools,
  ...buildingSectionTools,
  ...buildingStyleTools,
  ...buildingFileTools,
];

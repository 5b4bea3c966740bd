import { markdownExtension } from '../../formats/paths.ts';
import { configurationFiles } from './configurationFiles.ts';
import { folderNameOf, type Generator, joinUrlPath, pathBelow } from './generator.ts';
import { readSettings, valueAt } from './settingValues.ts';

/**
 * VitePress: the folder of `.vitepress`, and `srcDir` and `cleanUrls` of the configuration if they
 * are plain. With `rewrites`, the URLs are not known.
 */
export const vitePress: Generator = {
  urlPathOf({ path, files }) {
    const configuration = files.find((file) => configurationFiles.vitePress.test(file.path));
    if (!configuration) return null;
    const settings = readSettings(configuration);
    const plain = (name: string) => {
      const isThere = settings.some(
        (setting) => setting.path.length === 1 && setting.path[0] === name,
      );
      return { isThere, value: valueAt(settings, name) };
    };
    const sourceFolder = plain('srcDir');
    const hasRewrites = settings.some((setting) => setting.path[0] === 'rewrites');
    if (hasRewrites || (sourceFolder.isThere && typeof sourceFolder.value !== 'string'))
      return null;
    const root = folderNameOf(configuration.path.replace(/\.vitepress\/.*$/s, 'x'));
    const fileInRoot = pathBelow(root, path);
    const file =
      fileInRoot === null
        ? null
        : pathBelow((sourceFolder.value as string | undefined) ?? '', fileInRoot);
    if (file === null) return null;
    const stem = file.replace(markdownExtension, '');
    if (/(?:^|\/)index$/.test(stem)) return joinUrlPath(folderNameOf(stem), '/');
    const cleanUrls = plain('cleanUrls');
    if (cleanUrls.isThere && typeof cleanUrls.value !== 'boolean') return null;
    return joinUrlPath(cleanUrls.value === true ? stem : `${stem}.html`);
  },
};

import { randomBytes } from 'node:crypto';
import { buildFramedAssets } from '../../../editor/buildEditor.ts';
import { loadOnce } from '../../assets.ts';

/**
 * Makes a function that returns what each framed page gets: the editor's script in the frame and a
 * content security policy. `sandbox` gives the frame an opaque origin, so it has no cookies and no
 * access to the editor. Only our script runs. Styles, images and fonts may come from any host. The
 * page can't submit forms or send requests from scripts.
 */
export function createFraming() {
  const builtFrame = loadOnce(buildFramedAssets);
  return async () => {
    const { style, script } = await builtFrame();
    const nonce = randomBytes(16).toString('base64url');
    const attribute = `data-text-${randomBytes(6).toString('hex')}`;
    const head = (digest: string) =>
      `<style nonce="${nonce}">${style.replaceAll('data-text', attribute)}</style>` +
      `<script nonce="${nonce}" data-attribute="${attribute}" data-digest="${digest}">${script}</script>`;
    return { attribute, head, policy: framePolicy(nonce) };
  };
}

/** The content security policy of a framed page, in which only the script with the nonce runs. */
export const framePolicy = (nonce: string) =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src * data: 'unsafe-inline'",
    'img-src * data: blob:',
    'font-src * data:',
    'media-src * data: blob:',
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

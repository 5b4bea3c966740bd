// Builds the site into _site: npx @11ty/eleventy
import { InputPathToUrlTransformPlugin } from '@11ty/eleventy';

export default function (eleventyConfig) {
  eleventyConfig.addPlugin(InputPathToUrlTransformPlugin);
  eleventyConfig.addPassthroughCopy({ 'content/images': 'content/images' });
  return { dir: { input: 'content', includes: '../_includes', output: '_site' } };
}

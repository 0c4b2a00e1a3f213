import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanHtml, plainOf, withoutRemoteImages } from '../../src/features/communications/clean-html.ts'
import { BROWSER_TIMEOUT_MS, startBrowser } from '../harness/browser.ts'

/** Ways to run something, load something, or ask for something, as they are known from mail and from the web. */
const PAYLOADS = [
  '<script>hit()</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>hit()</scr</script>ipt>',
  '<img src=x onerror=hit()>',
  '<img src="https://ok.example/a.png" onload="hit()" onerror=hit()>',
  '<img/src="x"/onerror=hit()>',
  '<img src=`x`onerror=hit()>',
  '<img src="data:image/svg+xml,<svg onload=hit()>">',
  '<img src="javascript:hit()">',
  '<img srcset="https://evil.example/a 1x" src=cid:a>',
  '<svg onload=hit()>',
  '<svg><script>hit()</script></svg>',
  '<svg><a xlink:href="javascript:hit()"><text>x</text></a></svg>',
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=hit()>">',
  '<style><img src="</style><img src=x onerror=hit()>"></style>',
  '<style>body{background:url(https://evil.example/x)}</style>',
  '<title><img src=x onerror=hit()></title><textarea></textarea><img src=x onerror=hit()>',
  '<xmp><img src=x onerror=hit()></xmp>',
  '<template><img src=x onerror=hit()></template>',
  '<!--><img src=x onerror=hit()>-->',
  '<![CDATA[<img src=x onerror=hit()>]]>',
  '<a href="javascript:hit()">x</a>',
  '<a href="JaVaScRiPt:hit()">x</a>',
  '<a href=" java\nscript:hit()">x</a>',
  '<a href="&#106;avascript:hit()">x</a>',
  '<a href="&#x6A&#x61vascript:hit()">x</a>',
  '<a href="\u0001javascript:hit()">x</a>',
  '<a href="data:text/html,<script>hit()</script>">x</a>',
  '<a href="vbscript:hit()">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="https://ok.example" onmouseover=hit() target=_top ping=https://evil.example>x</a>',
  '<a style="background:url(javascript:hit())" href=#>x</a>',
  '<div style="width:expression(hit())">x</div>',
  '<div style="background-image:url(https://evil.example/x)">x</div>',
  '<div style="position:fixed;inset:0;z-index:9">x</div>',
  '<div style="color:red;-moz-binding:url(x)">x</div>',
  '<div style="font-family:\'x\';background:u\\72l(https://evil.example)">x</div>',
  '<iframe src="javascript:hit()"></iframe>',
  '<iframe srcdoc="<script>hit()</script>"></iframe>',
  '<object data="javascript:hit()"></object><embed src="javascript:hit()">',
  '<form action="javascript:hit()"><input autofocus onfocus=hit()><button>x</button></form>',
  '<form id=x></form><button form=x formaction="javascript:hit()">x</button>',
  '<input type=image src=x onerror=hit()>',
  '<select autofocus onfocus=hit()></select><textarea autofocus onfocus=hit()></textarea>',
  '<video><source onerror=hit()></video><audio src=x onerror=hit()></audio>',
  '<details open ontoggle=hit()><summary>x</summary></details>',
  '<body onload=hit()><p>x',
  '<base href="https://evil.example/"><a href="x">x</a>',
  '<meta http-equiv=refresh content="0;url=javascript:hit()">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<marquee onstart=hit()>x</marquee>',
  '<table background="javascript:hit()"><td background="https://evil.example/x">x</table>',
  '<p id=hit name=hit class=hit>x</p>',
  '<x onclick=hit()>x</x><custom-element onfocus=hit() tabindex=1 autofocus>',
  '<p onclick\u00a0=hit() \u2028onclick=hit()>x',
  '<<img src=x onerror=hit()>',
  '<img src=x:x onerror\u000b=hit()>',
  '"><img src=x onerror=hit()>',
]
const HARMLESS =
  '<h1>Seyahatiniz</h1><p style="color:#333;margin:0 0 8px">Sayın <b>Ayşe</b>,<br />uçuşunuz <a href="https://agency.example/?a=1&amp;b=2" rel="noopener noreferrer">burada</a>.</p><table role="presentation" width="100%"><tr><td align="left" bgcolor="#ffffff">1 &lt; 2</td></tr></table><ul><li>bir</li></ul><img src="cid:logo@agency" alt="Logo" width="100" />'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
}, BROWSER_TIMEOUT_MS)

type Seen = { hits: number; elements: string[]; attributes: string[]; links: string[] }
/** Shows each page in its own frame, clicks and hovers over everything, and reports its elements and effects. */
const SHOW = (pages: readonly string[]) => `(async () => {
  const seen = { hits: 0, elements: [], attributes: [], links: [] }
  window.hit = () => { seen.hits += 1 }
  await Promise.all(${JSON.stringify(pages)}.map(async (page) => {
    const frame = document.createElement('iframe')
    frame.srcdoc = '<script>window.hit = () => parent.hit()</' + 'script><div id="page">' + page
    const loaded = new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 1000) })
    document.body.append(frame)
    await loaded
    for (const element of frame.contentDocument.querySelectorAll('#page *')) {
      seen.elements.push(element.localName)
      seen.attributes.push(...element.getAttributeNames())
      seen.links.push(...['href', 'src'].flatMap((name) => element.getAttribute(name) ?? []))
      for (const type of ['mouseover', 'focus', 'load', 'error', 'toggle']) element.dispatchEvent(new Event(type))
      if (!element.matches('a[href^=http]')) element.click?.()
    }
  }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  return seen
})()`
async function show(pages: readonly string[]): Promise<Seen & { asked: string[] }> {
  const page = await browser.newPage()
  const asked: string[] = []
  await page.route('**/*', (route) => {
    asked.push(route.request().url())
    return route.abort()
  })
  const seen = (await page.evaluate(SHOW(pages))) as Seen
  await page.close()
  return { ...seen, asked }
}

describe('HTML of a message', () => {
  it('does nothing in a browser, whatever was written into it', async () => {
    expect((await show(PAYLOADS.slice(0, 8))).hits).toBeGreaterThan(5) // they would
    const seen = await show(PAYLOADS.map(cleanHtml))
    expect([seen.hits, seen.asked]).toEqual([0, ['https://ok.example/a.png']])
    expect(seen.attributes.filter((name) => /^on|^(?:id|class|name|target|form|srcset|background)/.test(name))).toEqual(
      [],
    )
    expect(seen.links.filter((link) => !/^(?:https:\/\/ok\.example|cid:)/.test(link))).toEqual([])
    expect(seen.elements.filter((name) => !/^(?:a|b|p|br|div|img|span|table|tbody|tr|td)$/.test(name))).toEqual([])
  })
  it('loads no remote image unless requested, and keeps other content', async () => {
    const mails = [
      ...PAYLOADS,
      '<img src="http://evil.example/a"><img src="//evil.example/b"><img src=" HTTP://evil.example/c">',
      HARMLESS,
      '<img src="https://evil.example/pixel.gif" alt="Logo" width="1" style="color:red">',
      '<p><IMG SRC=HTTPS://evil.example/b>x',
    ]
    const quiet = mails.map(cleanHtml).map(withoutRemoteImages)
    expect((await show(quiet.map(({ html }) => html))).asked).toEqual([])
    expect(quiet.reduce((sum, { blocked }) => sum + blocked, 0)).toBe(6)
    for (const { html } of quiet) expect(withoutRemoteImages(html)).toEqual({ html, blocked: 0 })
    expect(quiet.at(-3)).toEqual({ html: HARMLESS, blocked: 0 })
    expect(quiet.at(-2)).toEqual({ html: '<img alt="Logo" width="1" style="color:red" />', blocked: 1 })
    expect(quiet.at(-1)).toEqual({ html: '<p><img />x</p>', blocked: 1 })
  })
  it('is clean for good: cleaning it again changes nothing, nor its text', () => {
    for (const html of [...PAYLOADS, HARMLESS]) {
      const clean = cleanHtml(html)
      expect(cleanHtml(clean)).toBe(clean)
      expect(clean).not.toMatch(/url\(|expression|javascript:|position|<script/i)
      expect(plainOf(html)).toBe(plainOf(clean))
    }
  })
  it('keeps what mail is written with', () => {
    expect(cleanHtml(HARMLESS)).toBe(HARMLESS)
    expect(plainOf(HARMLESS)).toBe(
      'Seyahatiniz\n\nSayın Ayşe,\nuçuşunuz burada [https://agency.example/?a=1&b=2].\n\n1 < 2\n\n * bir',
    )
  })
  it('has no more marks in its text than text, however deep its quotations and lists are', () => {
    expect(plainOf('<blockquote>a<blockquote>b<br>c</blockquote></blockquote><ul><li>d<ol><li>e')).toBe(
      '> a\n> \n> > b\n> > c\n\n * d\n   1. e',
    )
    for (const open of ['<blockquote>', '<ul><li>', '<ol><li>']) {
      const html = `${open.repeat(45)}<pre>${'word\n'.repeat(1_000)}`
      expect([open, plainOf(html).length < 8 * html.length]).toEqual([open, true])
    }
  })
  it('is read in time, however it is nested', () => {
    for (const html of [
      '<b>'.repeat(20_000),
      '<'.repeat(100_000),
      '<table><tr><td>'.repeat(6_600),
      '<a b="'.repeat(16_000),
    ]) {
      const began = performance.now()
      cleanHtml(html)
      expect(performance.now() - began).toBeLessThan(4_000)
    }
  })
})

import { hash } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { notFound } from '../platform/http/errors.ts'
import { type StaticContent, staticContent } from '../platform/http/static-content.ts'
import { GUIDES, guideAddress, renderGuide } from './guides.ts'
import { GUIDE_POLICY, guidePage, REFERENCE_POLICY, referencePage } from './page.ts'

const HTML = 'text/html; charset=utf-8'
const FOREVER = 'public, max-age=31536000, immutable'

/** Serves the API reference and the guides. Returns their paths, all of which are GET. */
export function serveReference(app: FastifyInstance): readonly string[] {
  let loading: Promise<Script> | undefined
  const script = () => {
    loading ??= loadScript()
    return loading
  }
  const page = staticContent(HTML, async () => referencePage((await script()).address))
  for (const path of ['/docs', '/docs/'])
    app.get(path, (request, reply) => page(request, reply.headers(headersWith(REFERENCE_POLICY))))
  app.get<{ Params: { hash: string } }>('/docs/reference-:hash.js', async (request, reply) => {
    const { address, content } = await script()
    if (request.url !== address) throw notFound()
    return content(request, reply.header('cache-control', FOREVER))
  })
  for (const guide of GUIDES) {
    const address = guideAddress(guide)
    const content = staticContent(HTML, () => guidePage(guide.title, address, renderGuide(guide)))
    app.get(address, (request, reply) => content(request, reply.headers(headersWith(GUIDE_POLICY))))
  }
  return ['/docs', '/docs/', '/docs/reference-:hash.js', ...GUIDES.map(guideAddress)]
}

const headersWith = (policy: string) => ({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })

type Script = { readonly address: string; readonly content: StaticContent }

/** The script is four megabytes: it is loaded on first use. */
async function loadScript(): Promise<Script> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } } as never)
  const { rawPayload } = await app.inject('/docs/js/scalar.js')
  await app.close()
  const name = hash('sha256', rawPayload).slice(0, 16)
  return {
    address: `/docs/reference-${name}.js`,
    content: staticContent('text/javascript; charset=utf-8', () => rawPayload),
  }
}

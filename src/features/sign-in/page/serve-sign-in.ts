import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { staticContent } from '../../../platform/http/static-content.ts'
import { languageOfVisitor } from '../../../platform/page/language.ts'
import { notFoundUnder } from '../../../platform/page/not-found.ts'
import { showPage } from '../../../platform/page/serve.ts'
import { SCRIPT_PATH, signInPage } from './sign-in-page.ts'
import { SIGN_IN_WORDS } from './words.ts'

const SCRIPT = join(import.meta.dirname, 'sign-in.browser.js')

const PAGES = ['/console', '/console/', '/console/sign-in']
/** The paths of the console, all of which are GET. */
export const CONSOLE_PATHS: readonly string[] = [...PAGES, SCRIPT_PATH, '/console/*']

/** Serves the page on which people sign in. */
export function serveSignIn(app: FastifyInstance, { publicUrl }: { readonly publicUrl: string }): void {
  for (const path of PAGES)
    app.get(path, async ({ headers }, reply) =>
      showPage(reply, 200, signInPage(languageOfVisitor(headers['accept-language']), publicUrl)),
    )
  app.get(
    SCRIPT_PATH,
    staticContent('text/javascript; charset=utf-8', () => readFile(SCRIPT, 'utf8')),
  )
  notFoundUnder(app, '/console', SIGN_IN_WORDS, async () => null)
}

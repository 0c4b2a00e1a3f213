import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { staticContent } from '../../../platform/http/static-content.ts'
import { languageOfVisitor } from '../../../platform/page/language.ts'
import { notFoundUnder } from '../../../platform/page/not-found.ts'
import { showPage } from '../../../platform/page/serve.ts'
import { FACTORS_SCRIPT_PATH, PROVIDERS_SCRIPT_PATH, SCRIPT_PATH, signInPage } from './sign-in-page.ts'
import { SIGN_IN_WORDS } from './words.ts'

const SCRIPTS = {
  [SCRIPT_PATH]: 'sign-in.browser.js',
  [FACTORS_SCRIPT_PATH]: 'factors.browser.js',
  [PROVIDERS_SCRIPT_PATH]: 'providers.browser.js',
}

const PAGES = ['/console', '/console/', '/console/sign-in']
/** The paths of the console, all of which are GET. */
export const CONSOLE_PATHS: readonly string[] = [...PAGES, ...Object.keys(SCRIPTS), '/console/*']

/** Serves the page on which people sign in. */
export function serveSignIn(app: FastifyInstance, { publicUrl }: { readonly publicUrl: string }): void {
  for (const path of PAGES)
    app.get(path, async ({ headers }, reply) =>
      showPage(reply, 200, signInPage(languageOfVisitor(headers['accept-language']), publicUrl)),
    )
  for (const [path, file] of Object.entries(SCRIPTS))
    app.get(
      path,
      staticContent('text/javascript; charset=utf-8', () => readFile(join(import.meta.dirname, file), 'utf8')),
    )
  notFoundUnder(app, '/console', SIGN_IN_WORDS, async () => null)
}

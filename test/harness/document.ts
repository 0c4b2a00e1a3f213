import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Config } from '../../src/config.ts'
import { appDocumentOf, documentOf } from './routes.ts'

type Operation = { responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Operation['responses'][string]> }
}

/** Patterns of paths are by how many parts they have. */
type Known = { document: Document; patterns: Map<number, [RegExp, string][]>; ajv: Ajv2020 }

const DOCUMENT = 'document'
const APP = '/app/v1'
const known = new Map<boolean, Known>()

function open(config: Config, isApp: boolean): Known {
  const opened =
    known.get(isApp) ??
    (() => {
      const document = (isApp ? appDocumentOf(config) : documentOf(config)) as Document
      const paths = Object.keys(document.paths)
        .sort((a, b) => a.split('{').length - b.split('{').length || b.length - a.length)
        .map((path): [RegExp, string] => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`), path])
      const patterns = Map.groupBy(paths, ([, path]) => depthOf(path))
      // One instance that knows the whole document compiles each of its schemas once, however many answers share it.
      const ajv = new Ajv2020({ strict: false, validateSchema: false, code: { optimize: false } })
      addFormats.default(ajv)
      // The package takes a space in place of the T, as the database prints times; clients do not.
      ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
      ajv.addSchema(document, DOCUMENT)
      return { document, patterns, ajv }
    })()
  known.set(isApp, opened)
  return opened
}

const depthOf = (path: string) => path.split('/').length

/** Throws if a response does not match the OpenAPI document for its path, method and status. */
export function checkAgainstDocument(
  config: Config,
  method: string,
  path: string,
  answer: { status: number; body: unknown; text: string; headers: Record<string, string> },
): void {
  const [bare = ''] = path.split('?', 1)
  const isApp = bare.startsWith(APP)
  const full = isApp || bare.startsWith('/api/') ? bare : `/api/v1${bare}`
  const { document, patterns, ajv } = open(config, isApp)
  const pattern = patterns.get(depthOf(full))?.find(([expression]) => expression.test(full))?.[1]
  const operation = pattern ? document.paths[pattern]?.[method.toLowerCase()] : undefined
  if (!operation) {
    if ((isApp || full.startsWith('/api/v1/')) && answer.status < 400 && method !== 'HEAD')
      throw new Error(`${method} ${path} answered ${answer.status} and is not in the document`)
    return
  }
  const declared = operation.responses[answer.status]
  const shared = declared?.$ref?.slice('#/components/responses/'.length)
  const response = shared === undefined ? declared : document.components.responses[shared]
  const [type = ''] = answer.headers['content-type']?.split(';', 1) ?? []
  if ([204, 303].includes(answer.status) && response && answer.text === '') return
  if (!response?.content?.[type]?.schema)
    throw new Error(
      `${method} ${path} answered ${answer.status} ${type}, which the document does not know: ${answer.text.slice(0, 300)}`,
    )
  const where =
    shared === undefined
      ? ['paths', pattern as string, method.toLowerCase(), 'responses', String(answer.status)]
      : ['components', 'responses', shared]
  const check = ajv.getSchema(pointer(...where, 'content', type, 'schema')) as ValidateFunction
  const name = `${method} ${pattern} ${answer.status}`
  if (!check(type === 'application/json' ? answer.body : answer.text)) {
    throw new Error(
      `${name} does not fit the document: ${JSON.stringify(check.errors?.slice(0, 5))} in ${answer.text.slice(0, 600)}`,
    )
  }
}

/** A place in the document, as a reference writes it. */
const pointer = (...steps: readonly string[]): string =>
  `${DOCUMENT}#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

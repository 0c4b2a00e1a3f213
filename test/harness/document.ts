import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { apiDocument } from '../../src/api-document.ts'
import type { Config } from '../../src/config.ts'

type Operation = { responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Operation['responses'][string]> }
}

let known: { document: Document; patterns: [RegExp, string][]; checks: Map<string, ValidateFunction> } | null = null

function open(config: Config) {
  known ??= (() => {
    const document = apiDocument(config) as Document
    const patterns = Object.keys(document.paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((path): [RegExp, string] => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`), path])
    return { document, patterns, checks: new Map() }
  })()
  return known
}

/** Throws where an answer is not what the OpenAPI document says of its path, method and status. */
export function checkAgainstDocument(
  config: Config,
  method: string,
  path: string,
  answer: { status: number; body: unknown; text: string; headers: Record<string, string> },
): void {
  const [bare = ''] = path.split('?', 1)
  const full = bare.startsWith('/api/') ? bare : `/api/v1${bare}`
  const { document, patterns, checks } = open(config)
  const pattern = patterns.find(([expression]) => expression.test(full))?.[1]
  const operation = pattern ? document.paths[pattern]?.[method.toLowerCase()] : undefined
  if (!operation) {
    if (full.startsWith('/api/v1/') && answer.status < 400 && method !== 'HEAD')
      throw new Error(`${method} ${path} answered ${answer.status} and is not in the document`)
    return
  }
  const said = operation.responses[answer.status]
  const response = said?.$ref ? document.components.responses[said.$ref.split('/').at(-1) as string] : said
  const [type = ''] = answer.headers['content-type']?.split(';', 1) ?? []
  if (answer.status === 204 && response && answer.text === '') return
  const schema = response?.content?.[type]?.schema
  if (!schema)
    throw new Error(
      `${method} ${path} answered ${answer.status} ${type}, which the document does not know: ${answer.text.slice(0, 300)}`,
    )
  const name = `${method} ${pattern} ${answer.status}`
  const check = checks.get(name) ?? compile(document, schema)
  checks.set(name, check)
  if (!check(type === 'application/json' ? answer.body : answer.text)) {
    throw new Error(
      `${name} does not fit the document: ${JSON.stringify(check.errors?.slice(0, 5))} in ${answer.text.slice(0, 600)}`,
    )
  }
}

function compile(document: Document, schema: object): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  return ajv.compile({ ...schema, components: document.components })
}

type Node = {
  readonly type: string
  readonly callee?: { readonly name?: string }
  readonly key?: { readonly name?: string }
}
type Path = { readonly node: Node; readonly parent?: Node | null }

const EXAMPLES = new Set(['example', 'bad'])

/** Code that is not mutated: the text of statements, and the examples of kinds, which exist only for tests. */
function shouldIgnore({ node, parent }: Path): string | undefined {
  const isText = node.type === 'TemplateLiteral' || node.type === 'StringLiteral'
  if (isText && parent?.callee?.name === 'statement') return 'the contract tests hold the SQL of statements'
  if (node.type === 'ObjectProperty' && EXAMPLES.has(node.key?.name ?? '')) return 'examples are what tests start from'
  return undefined
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'what-is-no-rule', value: { shouldIgnore } }]

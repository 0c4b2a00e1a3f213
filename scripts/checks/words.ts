// Phrases and parts of names that are hard to read for people who learned English from technical documentation. To keep
// a phrase, or a name that is still to be renamed, list it in `word-exceptions.json`.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Exceptions = {
  /** Phrases that stay, by file: the phrase as written there, and the reason. */
  phrases: Record<string, Record<string, string>>
  /** Names that are still to be renamed. The list only gets shorter. */
  names: string[]
}

const ROOT = join(import.meta.dirname, '../..')
const LIST = join(ROOT, 'scripts/checks/word-exceptions.json')
const TEXTS = ['{src,demo,lib,scripts,packages,docs,migrations}/**/*.{ts,md,sql,yml,yaml,json}', '*.md', 'compose.yaml']
/** This check, and generated files. Landed migrations are skipped as well: they cannot be edited. */
const SKIPPED = /node_modules|^scripts\/checks\/word|^docs\/(openapi\.json|schema\.sql)/

/** Each with what to write instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:does|do|did) not hold\b/, 'is invalid, is wrong'],
  [/\bis no [\w-]+(?: [\w-]+)? of (?:the|this|an?)\b/, 'No … with this id exists in …'],
  [/\bthere is nothing at\b/i, 'not found'],
  [/\bhow manieth\b/i, 'ordinal, position'],
  [/\bwhat is wrong with\b/i, 'the errors of'],
  [/\bnothing is none\b/i, 'null passes'],
  [/\bwho comes second\b/i, 'the second transaction'],
  [/\bwords? of (?:its|their|one’s|an account’s) own\b/i, 'its own text'],
  [/\b(?:the|a) scene\b/i, 'context'],
  [/\bguilty rows?\b/i, 'failing rows'],
  [/\bwhat (?:is|was|will be) said\b/i, 'message, notification'],
  [/\bwhat (?:becomes|became) of\b/i, 'outcome, result'],
  [/\bsaid by itself\b/i, 'automated'],
  [/\bnobody tells\b/i, 'not reported'],
  [/\bis (?:not )?told (?:by|of|where|to)\b/i, 'determined, notified'],
  [/\bdoes not tell\b/i, 'does not contain, does not state'],
  [/\btells? nobody\b/i, 'is not reported'],
  [/\bhas to (?:be|have|begin)\b/i, 'must be, must have'],
  [/\bfor want of\b/i, 'without'],
  [/\bas it came\b/i, 'unchanged'],
  [/\bcomes? to (?:its|their) end\b/i, 'finishes'],
  [/\bplease tell nobody\b/i, 'do not disclose'],
  [/\bnothing complains\b/i, 'no test catches'],
]

/** The same in comments of code and in titles of tests. */
const IN_COMMENTS: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b/i, 'the caller, the client, the worker'],
  [/(?<!`)\bnobody\b/i, 'no role, no worker, unknown'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|one\b)[a-z]/, 'is not a …, is invalid'],
  [/\b(?:of|for|to) who\b/, 'of the one that'],
  [/\btold? apart\b|\btells? [\w ]+ apart\b/, 'distinguish'],
  [/\bbecomes? of\b/, 'outcome, result'],
  [/\bso many\b/i, 'this many, the number of'],
  [/\bof itself\b/, 'about itself'],
]
const COMMENTED = '{src,demo,lib,scripts,packages,test,bench,samples}/**/*.{ts,js}'
const COMMENT_OR_TITLE = /\/\/ .*|\/\*\*? .*|^\s*\* .*|^\s*(?:\]\)\(|(?:it|describe)(?:\.[^'"`]*)?\()['"`].*/

/** Parts of names, each with what to use instead. */
const PARTS: Readonly<Record<string, string>> = {
  say: 'send',
  says: 'sends, contains',
  saying: 'automated message',
  said: 'sent, text',
  unsaid: 'missing',
  tell: 'notify, report, print',
  tells: 'notifies, reports',
  told: 'notified, reported',
  untold: 'missing',
  become: 'process',
  becomes: 'outcome',
  settle: 'finish, record (settlement of accounts excepted)',
  deed: 'audit entry',
  scene: 'context',
  guilty: 'failing',
  pointless: 'unneeded',
  manieth: 'ordinal',
  worth: 'value',
}
const PAIRS: readonly (readonly [string, string])[] = [
  ['going', 'on'],
  ['is', 'here'],
  ['want', 'facts'],
]
const DECLARED =
  /^\s*(?:export\s+)?(?:declare\s+)?(?:async\s+)?(?:const|let|function\*?|type|class|interface)\s+([A-Za-z_$][\w$]*)/gm
const FIELDS = /^\s*(?:readonly\s+)([A-Za-z_$][\w$]*)\??:/gm

const exceptions = JSON.parse(readFileSync(LIST, 'utf8')) as Exceptions
const landed = new Set(readFileSync(join(ROOT, 'migrations/SHA256SUMS'), 'utf8').match(/\S+\.sql$/gm) ?? [])
const files = TEXTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .filter((file) => !SKIPPED.test(file) && !landed.has(file.replace(/^migrations\//, '')))
  .sort()
const commented = globSync(COMMENTED, { cwd: ROOT })
  .filter((file) => !SKIPPED.test(file))
  .sort()
const used = { phrases: new Map<string, Set<string>>(), names: new Set<string>() }
const faults = files.flatMap((file) => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...phrasesIn(file, text), ...(file.endsWith('.ts') ? namesIn(file, text) : [])]
})
faults.push(...commented.flatMap((file) => commentsIn(file, readFileSync(join(ROOT, file), 'utf8'))))
if (process.argv.includes('--prune')) prune()
else faults.push(...unused())
process.stdout.write(faults.map((fault) => `${fault}\n`).join(''))
process.stdout.write(`${files.length} files, ${faults.length} faults, ${exceptions.names.length} names to rename\n`)
process.exitCode = faults.length === 0 ? 0 : 1

function phrasesIn(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, at) => phrasesOf(file, at, line, PHRASES))
}

function commentsIn(file: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, at) => phrasesOf(file, at, COMMENT_OR_TITLE.exec(line)?.[0] ?? '', IN_COMMENTS))
}

function phrasesOf(file: string, at: number, line: string, phrases: typeof PHRASES): string[] {
  const allowed = exceptions.phrases[file] ?? {}
  return phrases.flatMap(([phrase, instead]) => {
    const found = phrase.exec(line)?.[0]
    if (found === undefined) return []
    if (allowed[found] === undefined) return [`${file}:${at + 1}: "${found}". Write: ${instead}`]
    used.phrases.set(file, (used.phrases.get(file) ?? new Set()).add(found))
    return []
  })
}

/** Names that are declared in a file: of constants, functions, types, and fields of types. */
function namesIn(file: string, text: string): string[] {
  const names = new Set([...text.matchAll(DECLARED), ...text.matchAll(FIELDS)].map(([, name = '']) => name))
  return [...names].flatMap((name) => {
    const instead = faultOf(name)
    if (instead === null) return []
    used.names.add(name)
    return exceptions.names.includes(name) ? [] : [`${file}: the name ${name}. Use: ${instead}`]
  })
}

function faultOf(name: string): string | null {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
  const part = words.find((word) => Object.hasOwn(PARTS, word))
  if (part !== undefined) return PARTS[part] ?? null
  const isPair = PAIRS.some(([one, two]) => words.some((word, at) => word === one && words[at + 1] === two))
  return isPair ? 'a name that states what it is' : null
}

/** Exceptions that are needed no longer. `--prune` removes them. */
function unused(): string[] {
  const names = exceptions.names.filter((name) => !used.names.has(name))
  const phrases = Object.entries(exceptions.phrases).flatMap(([file, allowed]) =>
    Object.keys(allowed)
      .filter((phrase) => !used.phrases.get(file)?.has(phrase))
      .map((phrase) => `${existsSync(join(ROOT, file)) ? file : `${file} (gone)`}: "${phrase}"`),
  )
  return [...names, ...phrases].map(
    (exception) => `${exception} needs no exception: run node scripts/checks/words.ts --prune`,
  )
}

function prune(): void {
  exceptions.names = exceptions.names.filter((name) => used.names.has(name))
  exceptions.phrases = Object.fromEntries(
    Object.entries(exceptions.phrases).flatMap(([file, allowed]) => {
      const kept = Object.entries(allowed).filter(([phrase]) => used.phrases.get(file)?.has(phrase))
      return kept.length > 0 ? [[file, Object.fromEntries(kept)]] : []
    }),
  )
  writeFileSync(LIST, `${JSON.stringify(exceptions, null, 2)}\n`)
}

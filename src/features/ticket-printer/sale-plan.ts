import type { ReadContext } from '../../catalogue/kind.ts'
import { type CapturedFile, type DocumentLife, type Fact, factsOf, lifeOf } from './facts.ts'
import { type DocumentEntry, type SaleContent, saleContentOf } from './sale-content.ts'

/** A number that a sale of the account has. */
export type HeldNumber = {
  readonly number: string
  readonly sale: string
  /** The document number that it continues; its own if it is not a conjunction. */
  readonly primary: string
  readonly currency: string
  readonly invoiced: boolean
  /** Whether the sale's entry of it came from captured files. */
  readonly captured: boolean
  /** Whether it did, and no user has finished the sale since: the sale still follows its files. */
  readonly open: boolean
}
/** The changes of one sale. */
export type SalePlan = {
  /** Null creates a sale. */
  readonly sale: string | null
  /** The content from files before and after; null for none. */
  readonly before: SaleContent | null
  readonly after: SaleContent | null
  /** The sale's documents in these files, with the state of each. */
  readonly lives: ReadonlyMap<string, { readonly before: DocumentLife; readonly after: DocumentLife }>
}
type Books = {
  /** By the first number of a document, without conjunctions. */
  readonly lives: ReadonlyMap<string, DocumentLife>
  readonly primaryOf: (number: string) => string
  /** Documents whose sales follow their files, grouped by sale. */
  readonly groups: ReadonlyMap<string, readonly DocumentEntry[]>
}
/** `former` is the previous state of each document, by its first number. */
export type Planned = {
  readonly plans: readonly SalePlan[]
  readonly former: ReadonlyMap<string, DocumentLife>
}
type Held = ReadonlyMap<string, HeldNumber>

/** Documents of one file, or of the parts of one transaction, form one sale. */
function groupOf({ source: { action, reading } }: DocumentEntry): string {
  const kind = action === 'refund' ? 'refund' : 'issue'
  const { part, pnr } = reading.file
  return part ? `${kind} part ${part.sequence} ${pnr}` : `${kind} file ${reading.id}`
}

/** The sales and document states that follow from these files, whatever the order of arrival. */
function booksOf(readings: readonly CapturedFile[], held: Held, today: string): Books {
  const facts = readings.flatMap((reading) =>
    factsOf(reading)
      .filter(({ number }) => reading.numbers.has(number))
      .map((fact): Fact => ({ ...fact, reading })),
  )
  const primaries = new Map(
    facts.flatMap(({ action, number, document }) =>
      action === 'issue' ? (document?.conjunctions ?? []).map((conjunction) => [conjunction, number] as const) : [],
    ),
  )
  const primaryOf = (number: string): string => {
    const holder = held.get(number)
    return holder && !holder.open ? holder.primary : (primaries.get(number) ?? holder?.primary ?? number)
  }
  const lives = new Map(
    [...Map.groupBy(facts, ({ number }) => primaryOf(number))].map(
      ([number, theirs]) => [number, lifeOf(number, theirs, today)] as const,
    ),
  )
  const entries = [...lives].flatMap(([number, life]): DocumentEntry[] => {
    const isFree = held.get(number)?.open ?? true
    return life.source && isFree ? [{ number, source: life.source, life }] : []
  })
  return { lives, primaryOf, groups: Map.groupBy(entries, groupOf) }
}

/** Assigns each group of documents to a sale: its former one, otherwise one that has any of the documents. */
function assignSales(held: Held, before: Books, after: Books): Map<string, string> {
  const groupsIn = ({ groups }: Books) =>
    new Map([...groups].flatMap(([key, entries]) => entries.map(({ number }) => [number, key] as const)))
  const [old, current] = [groupsIn(before), groupsIn(after)]
  const candidates = [...held.values()]
    .filter(({ open }) => open)
    .flatMap(({ number, sale }) => {
      const group = current.get(after.primaryOf(number))
      return group === undefined ? [] : [{ sale, group, isSame: old.get(before.primaryOf(number)) === group }]
    })
    .sort((a, b) => Number(b.isSame) - Number(a.isSame) || (a.sale < b.sale ? -1 : 1))
  const sales = new Map<string, string>()
  for (const { sale, group } of candidates)
    if (!sales.has(group) && ![...sales.values()].includes(sale)) sales.set(group, sale)
  return sales
}

const NO_LIFE: DocumentLife = { status: 'open', refunds: [], source: null }

/**
 * Plans the changes of the account's sales when the known files are `after` instead of `before`. Sales that a user
 * finished, or that no file created, keep their entries; only the states of their documents follow.
 */
export function planSales(
  {
    before: formerFiles,
    after: files,
  }: { readonly before: readonly CapturedFile[]; readonly after: readonly CapturedFile[] },
  held: Held,
  { read, today }: { readonly read: ReadContext; readonly today: string },
): Planned {
  const [before, after] = [booksOf(formerFiles, held, today), booksOf(files, held, today)]
  const assigned = assignSales(held, before, after)
  const groupIn = new Map([...assigned].map(([group, sale]) => [sale, group]))
  const bySale = Map.groupBy(held.values(), ({ sale }) => sale)
  const kept = [...bySale].map(([sale, numbers]): SalePlan => {
    const own = { ...read, currency: numbers[0]?.currency ?? read.currency }
    const theirs = new Set(numbers.filter(({ open }) => open).map(({ number }) => before.primaryOf(number)))
    const former = [...before.groups.values()].flat().filter(({ number }) => theirs.has(number))
    const current = after.groups.get(groupIn.get(sale) ?? '') ?? []
    const documents = new Set([...numbers.map(({ primary }) => primary), ...current.map(({ number }) => number)])
    return {
      sale,
      before: former.length > 0 ? saleContentOf(former, own) : null,
      after: current.length > 0 ? saleContentOf(current, own) : null,
      lives: livesOf(documents, before, after),
    }
  })
  const made = [...after.groups]
    .filter(([group]) => !assigned.has(group))
    .map(([, entries]): SalePlan => {
      const numbers = new Set(entries.map(({ number }) => number))
      return {
        sale: null,
        before: null,
        after: saleContentOf(entries, read),
        lives: livesOf(numbers, before, after),
      }
    })
  return { plans: [...kept.filter(isChange), ...made], former: before.lives }
}

const livesOf = (documents: ReadonlySet<string>, before: Books, after: Books): SalePlan['lives'] =>
  new Map(
    [...documents].map((number) => [
      number,
      { before: before.lives.get(number) ?? NO_LIFE, after: after.lives.get(number) ?? NO_LIFE },
    ]),
  )

const textOf = (content: SaleContent | null): string =>
  JSON.stringify(content && [content.row, [...content.refunds], content.exchanges, [...content.refundsAlone]])
const lifeText = ({ status, refunds }: DocumentLife): string => JSON.stringify([status, refunds])
/** Whether something about the document has changed. */
export const isOtherLife = ({ before, after }: { before: DocumentLife; after: DocumentLife }): boolean =>
  lifeText(before) !== lifeText(after)
const isChange = ({ before, after, lives }: SalePlan): boolean =>
  textOf(before) !== textOf(after) || [...lives.values()].some(isOtherLife)

import { maySee, type Preset, type Sensitive } from '../../src/features/reports/preset.ts'
import { CHECKS } from '../../src/features/reports/presets/finance/document-checks.ts'
import type { Policies } from '../../src/platform/access/policies.ts'
import type { Report } from './reports.ts'

type Row = Report['rows'][number]
type Totals = NonNullable<Report['totals']>
/** Parts of a book that rows alone do not contain. */
export type Known = {
  /** The customer that a tag hides, and the bookings that name it. */
  readonly hidden: string
  readonly ofHidden: ReadonlySet<string>
  /** Destinations that are the city of a supplier. */
  readonly cities: ReadonlySet<string>
}
export type Compared = Pick<Report, 'rows' | 'groups' | 'totals' | 'summary'> & {
  readonly pagination: Report['pagination'] | undefined
  /** Whether rows are left out of it one by one, so that totals are of others than the owner's. */
  readonly isPart: boolean
}

const BUCKETS: Readonly<Record<string, Sensitive>> = {
  matched: 'cost',
  commission_variance: 'cost',
  amount_variance: 'money',
}
/** Groupings whose labels identify people. */
const PEOPLE = ['customer']
const isCostly = ({ reason, document }: Row): boolean =>
  CHECKS.some((check) => check.reason === reason && check.family.document === document && check.presence === 'cost')

/** The expected response for a role, derived from the owner's: the same, with masked cells emptied. */
export function maskedFor(preset: Preset, owner: Report, policies: Policies, known: Known): Compared {
  const { group_by } = owner.filters
  const sees = (sensitive?: Sensitive | null) => maySee(policies, sensitive)
  if (!sees(preset.presence)) return empty(preset, owner)
  const isHidden = ({ customer_id, booking_id }: Row): boolean =>
    !policies.has('view_restricted_customers') &&
    (customer_id === known.hidden || known.ofHidden.has(String(booking_id)))
  const cellOf = (row: Row, name: string) => {
    const cell = row[name] ?? null
    const sensitive = preset.columns[name]?.sensitive
    if (name === 'destination') return known.cities.has(String(cell)) && !sees(sensitive) ? null : cell
    if (name === 'bucket' && preset.key === 'bsp_reconciliation')
      return sees(sensitive) || sees(BUCKETS[String(cell)]) ? cell : null
    if (name === 'group_name' && PEOPLE.includes(String(group_by)))
      return sees('personal') && !isGroupHidden(String(row.group_key)) ? cell : null
    return sees(sensitive) && !(sensitive === 'personal' && isHidden(row)) ? cell : null
  }
  const isGroupHidden = (key: string): boolean => !policies.has('view_restricted_customers') && key === known.hidden
  const sums = (of: object) =>
    Object.fromEntries(
      Object.entries(of).map(([name, sum]) => [name, sees(preset.columns[name]?.sensitive) ? sum : null]),
    )
  const totalsOf = ({ by_currency, base, ...whole }: Totals): Totals => ({
    ...sums(whole),
    by_currency: by_currency.map(sums) as Totals['by_currency'],
    base: base && (sums(base) as Totals['base']),
  })
  const isThere = (row: Row): boolean =>
    preset.presence === 'personal'
      ? !isHidden(row)
      : sees('cost') || preset.key !== 'unbalanced_documents' || !isCostly(row)
  const rows = owner.rows.filter(isThere)
  return {
    rows: rows.map((row) => Object.fromEntries(Object.keys(row).map((name) => [name, cellOf(row, name)]))),
    groups:
      owner.groups?.map(({ key, label, totals, ...group }) => ({
        ...group,
        key,
        label: PEOPLE.includes(String(group_by)) && (!sees('personal') || isGroupHidden(String(key))) ? null : label,
        totals: totalsOf(totals),
      })) ?? null,
    totals: owner.totals && totalsOf(owner.totals),
    summary: {
      ...Object.fromEntries(
        Object.entries(owner.summary).map(([name, count]) => [name, sees(preset.counts?.[name]) ? count : null]),
      ),
      rows: rows.length,
    } as Report['summary'],
    pagination: owner.pagination,
    isPart: rows.length < owner.rows.length,
  }
}

/** The report of an account that has nothing of it. */
function empty(preset: Preset, { summary, groups, totals, pagination }: Report): Compared {
  const wholes = Object.entries(preset.columns).filter(([, { sums, type }]) => sums && type !== 'money')
  return {
    rows: [],
    groups: groups && [],
    totals: totals && { ...Object.fromEntries(wholes.map(([name]) => [name, 0])), by_currency: [], base: null },
    summary: Object.fromEntries(Object.keys(summary).map((name) => [name, 0])),
    pagination,
    isPart: false,
  }
}

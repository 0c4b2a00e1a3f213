import { byCurrencyFilter, byIdFilter } from '../booking-filters.ts'
import { branchName, seatName } from '../dimensions.ts'
import { inDigits } from '../in-digits.ts'
import type { Preset, ReportInput } from '../preset.ts'

/** The stages of a lead; the last two are final. */
const STAGES = ['inbox', 'qualified', 'nurturing', 'proposal', 'won', 'lost']

/** What leads can be grouped by: SQL of the key over a lead `l`, and of what a key is called. */
const GROUPS: Readonly<Record<string, { label: string; key: string; name(key: string): string }>> = {
  source: { label: 'Source', key: 'l.source', name: (key) => key },
  advisor: { label: 'Advisor', key: 'l.assigned_to_id', name: seatName },
  branch: { label: 'Branch', key: 'l.branch_id', name: branchName },
}

/** The currency of a lead's value: its company's, if it names none. */
const CURRENCY = `select coalesce(l.currency, c.currency) as currency from companies c
  where c.account_id = l.account_id and c.id = l.company_id`

/** How far the leads of a window have come. */
export const leadFunnel: Preset = {
  key: 'lead_funnel',
  label: 'Lead funnel',
  description:
    'Leads created in the period, by current stage: number, share, conversions and estimated value by currency; a lead without a currency counts in the currency of its company.',
  category: 'leads',
  feature: 'api_access',
  columns: {
    step: { label: 'Step', type: 'integer' },
    stage: { label: 'Stage', type: 'string' },
    currency: { label: 'Currency', type: 'string' },
    leads: { label: 'Leads', type: 'integer', sums: true },
    share: { label: 'Of all, %', type: 'percent' },
    converted: { label: 'Converted', type: 'integer', sums: true },
    estimated_value: { label: 'Estimated value', type: 'money', sensitive: 'money', sums: true },
  },
  filters: {
    ...byIdFilter('company_id', 'Company', 'l.company_id'),
    ...byIdFilter('branch_id', 'Branch', 'l.branch_id'),
    ...byIdFilter('advisor_id', 'Advisor', 'l.assigned_to_id'),
    ...byCurrencyFilter('k.currency'),
    source: { label: 'Source', type: 'string', where: 'l.source = $source' },
  },
  dates: {
    by: {
      transaction: `l.created_at >= $from::date::timestamp at time zone $zone
        and l.created_at < ($to::date + 1)::timestamp at time zone $zone`,
    },
    window: 'this_month',
  },
  groupings: Object.fromEntries(
    Object.entries(GROUPS).map(([name, { label }]) => [name, { label, key: 'group_id', name: 'group_label' }]),
  ),
  order: [{ column: 'step' }, { column: 'currency' }],
  rows,
}

function rows({ where, groupBy }: ReportInput): string {
  const group = groupBy === null ? undefined : GROUPS[groupBy]
  return `
    select f.*, ${group ? group.name('f.group_id') : 'null'} as group_label, 100.0 * f.leads / sum(f.leads) over () as share
    from (
      select l.stage, array_position(array[${STAGES.map((stage) => `'${stage}'`).join(', ')}], l.stage) as step,
        k.currency, ${group?.key ?? 'null::text'} as group_id,
        count(*) as leads, count(l.converted_at) as converted,
        sum(${inDigits('l.estimated_value', 'k.currency')}) as estimated_value
      from leads l cross join lateral (${CURRENCY}) k
      where l.account_id = $account and l.deleted_at is null and ${where}
      group by 1, 2, 3, 4
    ) f`
}

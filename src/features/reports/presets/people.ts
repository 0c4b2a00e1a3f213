import type { Policies } from '../../../platform/access/policies.ts'
import { restrictedSql } from '../../customers/reads/restricted.ts'
import { byIdFilter } from '../booking-filters.ts'
import { type Preset, type ReportColumn, type ReportInput, within } from '../preset.ts'

/**
 * SQL of the condition that no tag hides a customer `c` from the role. These reports reveal birthdays and passport
 * dates, so hidden customers are left out.
 */
const isKnown = (policies: Policies): string =>
  policies.has('view_restricted_customers') ? 'true' : `(${restrictedSql('c')}) is not true`

const personal = (label: string, type: ReportColumn['type'] = 'string'): ReportColumn => ({
  label,
  type,
  sensitive: 'personal',
})
const places = {
  ...byIdFilter('company_id', 'Company', 'c.company_id'),
  ...byIdFilter('branch_id', 'Branch', 'c.branch_id'),
  ...byIdFilter('customer_id', 'Customer', 'c.id'),
}

/** Whose passport is about to expire. */
const passportExpiry: Preset = {
  key: 'passport_expiry',
  label: 'Passports that expire',
  description:
    'Travellers whose passport expires within the period, by default within half a year. Empty for a role that does not see personal data.',
  category: 'customers',
  feature: 'api_access',
  presence: 'personal',
  columns: {
    passport_expiry: personal('Expires on', 'date'),
    days_left: { ...personal('Days left', 'integer') },
    first_name: personal('First name'),
    last_name: personal('Last name'),
    passport_number: personal('Passport'),
    passport_country: personal('Issued by'),
    nationality: personal('Nationality'),
    customer: personal('Customer'),
    email: personal('E-mail'),
    phone: personal('Phone'),
    customer_id: { label: 'Customer id', type: 'uuid' },
    traveler_id: { label: 'Traveller id', type: 'uuid' },
  },
  filters: places,
  dates: { by: { transaction: within('v.passport_expiry') }, window: { back: 0, ahead: 183 } },
  groupings: { customer: { label: 'Customer', key: 'customer_id', name: 'customer' } },
  order: [{ column: 'passport_expiry' }, { column: 'traveler_id' }],
  pages: true,
  rows: ({ policies, where }) => `
    select v.passport_expiry, v.passport_expiry - $today::date as days_left, v.first_name, v.last_name, v.passport_number,
      v.passport_country, v.nationality, c.name as customer, c.email, c.phone, c.id as customer_id, v.id as traveler_id
    from travelers v join customers c on c.account_id = v.account_id and c.id = v.customer_id
    where v.account_id = $account and c.deleted_at is null and ${isKnown(policies)} and ${where}`,
}

/** People with a birthday: customers, and their travellers who are not customers themselves. */
const birthdays: Preset = {
  key: 'birthdays',
  label: 'Birthdays',
  description:
    'Customers and travellers with a birthday in the period, by default within 30 days. Empty for a role that does not see personal data.',
  category: 'customers',
  feature: 'api_access',
  presence: 'personal',
  columns: {
    celebrates_on: personal('Birthday', 'date'),
    turns: personal('Turns', 'integer'),
    name: personal('Name'),
    kind: { label: 'Customer or traveller', type: 'string' },
    customer: personal('Customer'),
    email: personal('E-mail'),
    phone: personal('Phone'),
    opted_in_marketing: { label: 'Agreed to marketing', type: 'string' },
    customer_id: { label: 'Customer id', type: 'uuid' },
    person_id: { label: 'Person id', type: 'uuid' },
  },
  filters: places,
  dates: { by: { transaction: within('p.celebrates_on') }, window: { back: 0, ahead: 30 } },
  groupings: { customer: { label: 'Customer', key: 'customer_id', name: 'customer' } },
  order: [{ column: 'celebrates_on' }, { column: 'person_id' }],
  pages: true,
  rows: birthdayRows,
}

/** People born on 29 February have their birthday on 28 February in other years. */
const celebratesOn = (born: string): string =>
  `(${born} + make_interval(years => y.year - extract(year from ${born})::integer))::date`
const YEARS = `generate_series(extract(year from $from::date)::integer, extract(year from $to::date)::integer) y(year)`

function birthdayRows({ policies, where }: ReportInput): string {
  return `
    select p.celebrates_on, extract(year from p.celebrates_on)::integer - extract(year from p.born)::integer as turns, p.name,
      p.kind, c.name as customer, c.email, c.phone, case when c.opted_in_marketing then 'yes' else 'no' end as opted_in_marketing,
      c.id as customer_id, p.person_id
    from (
      select account_id, id as customer_id, id as person_id, 'customer' as kind, name, birthday as born,
        ${celebratesOn('birthday')} as celebrates_on
      from customers cross join ${YEARS} where account_id = $account and birthday is not null
      union all
      select v.account_id, v.customer_id, v.id, 'traveler', concat_ws(' ', v.first_name, v.last_name), v.date_of_birth,
        ${celebratesOn('v.date_of_birth')}
      from travelers v join customers o on o.account_id = v.account_id and o.id = v.customer_id cross join ${YEARS}
      where v.account_id = $account and v.date_of_birth is not null and v.date_of_birth is distinct from o.birthday
    ) p join customers c on c.account_id = p.account_id and c.id = p.customer_id
    where p.account_id = $account and c.deleted_at is null and p.celebrates_on >= p.born and ${isKnown(policies)} and ${where}`
}

/** The reports about people, which a role that may not know them finds empty. */
export const peoplePresets: readonly Preset[] = [passportExpiry, birthdays]

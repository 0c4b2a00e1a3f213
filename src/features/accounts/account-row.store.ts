import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'

/** What is changed of an account. */
export type AccountRow = RowFrom<typeof lockAccount>
const COLUMNS = {
  name: pg.text,
  legal_name: pg.nullable(pg.text),
  plan: pg.text,
  time_zone: pg.text,
  locale: pg.text,
  billing_status: pg.text,
  owner_id: pg.nullable(pg.uuid),
  daily_messages: pg.integer,
  mail_domains: pg.list(pg.text),
  answer_address: pg.nullable(pg.text),
  accent_color: pg.nullable(pg.text),
  /** A data URL. */
  logo: pg.nullable(pg.text),
  logo_file_id: pg.nullable(pg.uuid),
  key_life_days: pg.nullable(pg.integer),
  second_factor_required: pg.boolean,
  contact_email: pg.nullable(pg.text),
  contact_phone: pg.nullable(pg.text),
  website: pg.nullable(pg.text),
  emergency_phone: pg.nullable(pg.text),
}
export const lockAccount = statement(
  { account: pg.integer },
  { uuid: pg.uuid, version: pg.integer, ...COLUMNS },
  `
  select uuid, version, name, legal_name, plan, time_zone, locale, billing_status, owner_id, daily_messages, mail_domains,
    answer_address, accent_color, logo, logo_file_id, key_life_days, second_factor_required,
    contact_email, contact_phone, website, emergency_phone
  from accounts where account_id = $account for update`,
)
export const writeAccount = statement(
  { account: pg.integer, ...COLUMNS },
  {},
  `
  update accounts set name = $name, legal_name = $legal_name, plan = $plan, time_zone = $time_zone, locale = $locale,
    billing_status = $billing_status, owner_id = $owner_id::uuid, daily_messages = $daily_messages, mail_domains = $mail_domains,
    answer_address = $answer_address, accent_color = $accent_color, logo = $logo, logo_file_id = $logo_file_id::uuid,
    key_life_days = $key_life_days, second_factor_required = $second_factor_required, contact_email = $contact_email, contact_phone = $contact_phone, website = $website,
    emergency_phone = $emergency_phone, version = version + 1
  where account_id = $account`,
)
/** Where numbers without a country code are dialled. */
export const countryOfAccount = statement(
  { account: pg.integer },
  { country: pg.text },
  'select tax_country as country from companies where account_id = $account and is_default',
)

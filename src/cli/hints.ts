import type { UserErrorCode } from '../platform/user-error.ts'

/** Stands for the command that was run. */
export const THIS_COMMAND = 'npx backdesk THIS'
const HELP = `Run \`${THIS_COMMAND} --help\` for its arguments and options.`
const list = (command: string): string => `Run \`npx backdesk ${command} --account NUMBER\` to find it.`

/** What to run or to set next, for each mistake. */
export const HINTS: Readonly<Record<UserErrorCode, string>> = {
  invalid_value: HELP,
  invalid_file: 'Correct the file, or get it again, and repeat the command.',
  invalid_archive:
    'Use another copy of the file. A new one is written by `npx backdesk backup` or `npx backdesk account export`.',
  bsp_column_missing:
    'Name a column with `--map "COLUMN=FIELD"`; a currency that all documents share, with `--currency`.',
  file_too_large: 'Split the file, and repeat the command for each part.',
  invalid_path: HELP,
  invalid_configuration: 'Settings are environment variables; the README lists all of them.',
  wrong_secret: 'See docs/backup.md for the secret that a backup needs.',
  wrong_passphrase: 'Set EXPORT_PASSPHRASE to the passphrase that the export was made with.',
  wrong_cell: 'Choose another cell with DATABASE_URL or DATA_DIR.',
  wrong_version: 'Run `npx backdesk --version` to see the version of this program.',
  download_failed: 'Check the address and the network, and try again.',
  already_exists: HELP,
  not_allowed_now: HELP,
  account_busy: 'Run the command again, or cancel the move with `npx backdesk account reopen --account NUMBER`.',
  ambiguous_invoice: 'Run `npx backdesk invoice list --account NUMBER --json` to find its id.',
  rate_source_in_use: 'Give these rates a source of their own with `--source NAME`.',
  account_not_found: 'Run `npx backdesk account list` to find it.',
  bsp_billing_not_found: list('bsp list'),
  branch_not_found: list('branch list'),
  capture_not_found: 'Ask `GET /api/v1/ticket_imports` for the ids of captured files.',
  company_not_found: list('company list'),
  invoice_not_found: list('invoice list'),
  key_not_found: list('key list'),
  message_not_found: list('message list'),
  record_not_found: 'Ask `GET /api/v1/imports/{entity}/records` for the ids of records.',
  referral_code_not_found: list('referral list'),
  role_not_found:
    'Run `npx backdesk role list --account NUMBER` to see the roles, or make one with `npx backdesk role create`.',
  saved_report_not_found: list('report list'),
  seat_not_found: list('seat list'),
  survey_not_found: list('survey list'),
  template_not_found: list('template list'),
  trip_not_found: list('trip list'),
  trip_part_not_found: 'Run `npx backdesk trip show TRIP --account NUMBER` to see its days and segments.',
}

import { Command } from 'commander';
import { IntegrityService, type RuleResult } from '../integrity/integrity.service.js';
import { printJson, printTable } from './output.js';
import { withServices } from './services.js';

const FOUND = 1;

export function checkCommand(): Command {
  return new Command('check')
    .description('check that the stored data agrees with itself; changes nothing')
    .option('--json', 'print JSON')
    .action(check);
}

async function check({ json }: { json?: true }): Promise<void> {
  const rules = await withServices((services) => services.get(IntegrityService).check());
  const found = rules.reduce((sum, rule) => sum + rule.found, 0);
  if (json) printJson({ found, rules });
  else describe(rules, found);
  if (found > 0) process.exitCode = FOUND;
}

function describe(rules: readonly RuleResult[], found: number): void {
  printTable(
    rules.map(({ rule, says, found: count }) => ({
      Rule: rule,
      Problems: count,
      'What holds': says,
    })),
    '',
  );
  for (const { rule, found: count, findings } of rules.filter((result) => result.found > 0)) {
    console.log(`\n${rule}`);
    for (const { entity, id, problem } of findings) console.log(`  ${entity} ${id}: ${problem}`);
    if (count > findings.length) console.log(`  and ${count - findings.length} more`);
  }
  console.log(`\n${found === 0 ? 'All is well.' : `Problems: ${found}. Nothing was changed.`}`);
}

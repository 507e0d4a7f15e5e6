import { accountTexts } from './account';
import { accountsTexts } from './accounts';
import { activityTexts } from './activity';
import { cardsTexts } from './cards';
import { commonTexts } from './common';
import { entryTexts } from './entries';
import { overviewTexts } from './overview';
import { planningTexts } from './planning';
import { settingsTexts } from './settings';

/** The texts of the pages, by the part of the application that shows them. */
export const textsOf = (language: 'en' | 'es') => ({
  ...commonTexts[language],
  account: accountTexts[language],
  accounts: accountsTexts[language],
  activity: activityTexts[language],
  cards: cardsTexts[language],
  entries: entryTexts[language],
  overview: overviewTexts[language],
  planning: planningTexts[language],
  settings: settingsTexts[language],
});

export type Texts = ReturnType<typeof textsOf>;

import { PageHead } from '../components/Page';
import { useLocale } from '../locale';
import { ActivityList } from './ActivityList';

export function ActivityPage() {
  const { t } = useLocale();
  return (
    <>
      <PageHead title={t.activity.title} />
      <section className="card" aria-label={t.activity.title}>
        <ActivityList />
      </section>
    </>
  );
}

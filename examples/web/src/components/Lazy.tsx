/** Parts of the application that are loaded when they are opened. */
import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import { useLocale } from '../locale';
import { Loaded, Nothing } from './Page';

/** A component that is loaded with its first use. */
export const lazyOf = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load() }));

interface LazyProps {
  /** Until it has been loaded, in pixels. */
  height?: number;
  children: ReactNode;
}

/** A placeholder while a part is loaded, and a way back if that fails, as after an upgrade. */
export function Lazy({ height = 400, children }: LazyProps) {
  const [path] = useLocation();
  const { t } = useLocale();
  const again = (
    <Button variant="default" onClick={() => location.reload()}>
      {t.do.tryAgain}
    </Button>
  );
  return (
    <ErrorBoundary
      path={path}
      fallback={
        <div className="card" role="alert">
          <Nothing title={t.problem.load} action={again} />
        </div>
      }
    >
      <Suspense
        fallback={
          <Loaded state={{ data: undefined, error: undefined }} height={height}>
            {() => null}
          </Loaded>
        }
      >
        {children}
      </Suspense>
    </ErrorBoundary>
  );
}

interface ErrorBoundaryProps {
  /** Another page is tried again. */
  path: string;
  fallback: ReactNode;
  children: ReactNode;
}

/** React has no hook for it. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override componentDidUpdate({ path }: ErrorBoundaryProps): void {
    if (this.state.hasFailed && path !== this.props.path) this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

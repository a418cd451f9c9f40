// Package mqtt has the few signatures of github.com/eclipse/paho.mqtt.golang that the tests' programs use.
package mqtt

import "time"

type Token interface {
	Wait() bool
	WaitTimeout(time.Duration) bool
	Done() <-chan struct{}
	Error() error
}

type Client interface {
	Connect() Token
	Publish(topic string, qos byte, retained bool, payload any) Token
}
